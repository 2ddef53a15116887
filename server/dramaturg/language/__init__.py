"""The definition of both languages as data: constructs, elements, rules, and what follows from them."""
