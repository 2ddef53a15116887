"""Writing the catalogue as CSV."""

import csv
import io

from shelf.catalog import Catalog


def to_csv(catalog: Catalog) -> str:
    """One line a book: ISBN, title, year."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["isbn", "title", "year"])
    for book in catalog.books.values():
        writer.writerow([book.isbn, book.title, book.year])
    return out.getvalue()
