// What the manifest promises must be there: files, commands, and a bundle that loads.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
const source = ["extension.ts", "commands.ts"].map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8")).join("\n");

test("every file that the manifest names is there", () => {
  const { languages, grammars } = manifest.contributes;
  for (const file of [...languages.map((item) => item.configuration), ...grammars.map((item) => item.path), manifest.main]) {
    assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), file);
  }
});

test("every command that the manifest names is registered", () => {
  for (const { command } of manifest.contributes.commands) assert.ok(source.includes(`"${command}"`), command);
});

test("grammars and configurations are JSON", () => {
  const { languages, grammars } = manifest.contributes;
  for (const file of [...languages.map((item) => item.configuration), ...grammars.map((item) => item.path)]) {
    JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
  }
});
