"""Finding books by words of their titles."""

from shelf.catalog import Book, Catalog


def by_title(catalog: Catalog, words: str) -> list[Book]:
    """The books whose titles have all the words, oldest first."""
    wanted = words.lower().split()
    found = [book for book in catalog.books.values() if all(word in book.title.lower() for word in wanted)]
    return sorted(found, key=lambda book: book.year)
