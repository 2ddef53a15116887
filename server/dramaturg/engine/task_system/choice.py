"""Which tasks fit a text best?"""

from __future__ import annotations

import math
from collections import Counter

from dramaturg.engine.memory.indexers.records import text_tokens
from dramaturg.engine.types.templates import TaskTemplate

#: How much a word counts by where it stands.
_WEIGHTS = {"name": 3.0, "criteria": 2.0, "description": 2.0, "inputs": 1.0}


def ranked_tasks(text: str, templates: list[TaskTemplate]) -> list[tuple[str, float]]:
    """Names and scores of the tasks that share words with the text, best first; the best has at most 1.

    Words that few tasks have count more (inverse document frequency); the score is
    the cosine of the two weighted word vectors.
    """
    wanted = Counter(text_tokens(text))
    documents = {template.name: _words(template) for template in templates}
    frequency = Counter(word for words in documents.values() for word in words)
    rarity = {word: math.log(1 + len(documents) / count) for word, count in frequency.items()}
    query = {word: count * rarity[word] for word, count in wanted.items() if word in rarity}
    length = math.sqrt(sum(weight * weight for weight in query.values()))
    found: list[tuple[str, float]] = []
    for name, words in documents.items():
        weighted = {word: weight * rarity[word] for word, weight in words.items()}
        product = sum(query[word] * weighted[word] for word in query if word in weighted)
        if product:
            norm = math.sqrt(sum(weight * weight for weight in weighted.values()))
            found.append((name, round(product / (norm * length), 4)))
    return sorted(found, key=lambda item: (-item[1], item[0]))


def _words(template: TaskTemplate) -> dict[str, float]:
    words: dict[str, float] = {}
    texts = {
        "name": template.name,
        "criteria": template.criteria or "",
        "description": template.description,
        "inputs": " ".join(f"{item.name} {item.description}" for item in template.inputs.values()),
    }
    for part, text in texts.items():
        for word in text_tokens(text):
            words[word] = max(words.get(word, 0.0), _WEIGHTS[part])
    return words
