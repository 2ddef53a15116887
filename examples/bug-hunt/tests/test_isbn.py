import unittest

from shelf.catalog import Book, Catalog
from shelf.isbn import check_digit, digits_of, is_valid


class IsbnTest(unittest.TestCase):
    def test_digits_leave_hyphens_out(self):
        self.assertEqual(digits_of("978-0-13"), [9, 7, 8, 0, 1, 3])

    def test_check_digit(self):
        self.assertEqual(check_digit(digits_of("978-0-13-110362")), 7)

    def test_printed_numbers_are_valid(self):
        self.assertTrue(is_valid("978-0-13-110362-7"))

    def test_a_book_can_be_added(self):
        Catalog().add(Book("978-0-13-110362-7", "The C Programming Language", 1988))


if __name__ == "__main__":
    unittest.main()
