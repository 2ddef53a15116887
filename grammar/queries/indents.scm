(list) @indent.begin
(list ")" @indent.end)
(string) @indent.ignore
(block_comment) @indent.ignore
