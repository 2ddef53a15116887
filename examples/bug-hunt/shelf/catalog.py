"""The catalogue: books by their ISBN."""

from dataclasses import dataclass, field

from shelf.isbn import digits_of, is_valid


@dataclass(frozen=True)
class Book:
    """A book on the shelf."""

    isbn: str
    title: str
    year: int


@dataclass
class Catalog:
    """Every book once, by the digits of its ISBN."""

    books: dict[str, Book] = field(default_factory=dict)

    def add(self, book: Book) -> None:
        """Adds a book; ValueError where its ISBN is not valid or is taken."""
        if not is_valid(book.isbn):
            raise ValueError(f"not an ISBN-13: {book.isbn}")
        key = "".join(map(str, digits_of(book.isbn)))
        if key in self.books:
            raise ValueError(f"already in the catalogue: {book.isbn}")
        self.books[key] = book
