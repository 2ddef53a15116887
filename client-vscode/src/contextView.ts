/** The view “Context”: the files that matter, with a bar for their relevance; open at the line, copy as a list. */
import * as vscode from "vscode";

export interface Match {
  path: string;
  relevance: number;
  excerpt?: string;
  range: { start: { line: number } };
}

export interface Matches {
  matches: Match[];
  error?: string;
}

export class ContextView implements vscode.TreeDataProvider<Match> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private matches: Match[] = [];
  private readonly pinned = new Map<string, Match>();
  private readonly left = new Set<string>();

  /** Shows what was found, pinned files first; what was left out stays so. */
  show(found: Matches): void {
    const fresh = found.matches.filter((match) => !this.left.has(match.path) && !this.pinned.has(match.path));
    this.matches = [...this.pinned.values(), ...fresh];
    this.changed.fire();
  }

  pin(match: Match): void {
    if (this.pinned.has(match.path)) this.pinned.delete(match.path);
    else this.pinned.set(match.path, match);
    this.changed.fire();
  }

  leaveOut(match: Match): void {
    this.left.add(match.path);
    this.pinned.delete(match.path);
    this.matches = this.matches.filter((item) => item.path !== match.path);
    this.changed.fire();
  }

  get paths(): string[] {
    return this.matches.map((match) => vscode.workspace.asRelativePath(match.path));
  }

  getChildren(match?: Match): Match[] {
    return match === undefined ? this.matches : [];
  }

  getTreeItem(match: Match): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.workspace.asRelativePath(match.path));
    const filled = Math.round(match.relevance * 8);
    item.description = `${"█".repeat(filled)}${"░".repeat(8 - filled)} ${match.relevance.toFixed(2)}`;
    item.iconPath = new vscode.ThemeIcon(this.pinned.has(match.path) ? "pinned" : "file");
    item.tooltip = new vscode.MarkdownString().appendCodeblock(match.excerpt ?? "");
    item.contextValue = "match";
    const line = new vscode.Position(match.range.start.line, 0);
    const selection = new vscode.Range(line, line);
    item.command = { command: "vscode.open", title: "Open", arguments: [vscode.Uri.file(match.path), { selection }] };
    return item;
  }
}
