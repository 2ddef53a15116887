(list) @fold
(block_comment) @fold
