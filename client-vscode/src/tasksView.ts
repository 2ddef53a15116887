/** The view “Tasks”: every task of the workspace by its file. */
import * as vscode from "vscode";

export interface TaskInput {
  name: string;
  required: boolean;
  type: string;
}

export interface Task {
  name: string;
  uri: string;
  line: number;
  description: string;
  inputs: TaskInput[];
}

export class TasksView implements vscode.TreeDataProvider<Task | string> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private tasks: Task[] = [];

  constructor(private readonly load: () => Promise<Task[]>) {}

  async refresh(): Promise<void> {
    this.tasks = await this.load().catch(() => []);
    this.changed.fire();
  }

  getChildren(node?: Task | string): (Task | string)[] {
    if (node === undefined) return [...new Set(this.tasks.map((task) => task.uri))].sort();
    return typeof node === "string" ? this.tasks.filter((task) => task.uri === node) : [];
  }

  getTreeItem(node: Task | string): vscode.TreeItem {
    if (typeof node === "string") {
      const item = new vscode.TreeItem(vscode.Uri.parse(node), vscode.TreeItemCollapsibleState.Expanded);
      item.iconPath = vscode.ThemeIcon.File;
      return item;
    }
    const item = new vscode.TreeItem(node.name);
    item.description = node.inputs.map((input) => (input.required ? input.name : `[${input.name}]`)).join(" ");
    item.tooltip = node.description;
    item.iconPath = new vscode.ThemeIcon("symbol-event");
    item.contextValue = "task";
    const line = new vscode.Position(node.line, 0);
    const selection = new vscode.Range(line, line);
    item.command = { command: "vscode.open", title: "Open", arguments: [vscode.Uri.parse(node.uri), { selection }] };
    return item;
  }
}
