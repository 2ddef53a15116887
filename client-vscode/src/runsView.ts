/** The view “Runs”: what runs, live, and the runs of the journal; steps with their times. */
import * as vscode from "vscode";

export interface RunEvent {
  run: string;
  event: string;
  kind?: string;
  name?: string;
  task?: string;
  tool?: string;
  call?: number | undefined;
  status?: string;
  seconds?: number;
  failed?: boolean;
  message?: string;
  form?: string;
  iteration?: number | null;
  result?: { content?: string; notes?: { tokens?: { input: number; output: number } } };
}

interface Step {
  label: string;
  description: string;
  icon: string;
  text?: string | undefined;
  call?: number | undefined;
}

interface Run {
  id: string;
  label: string;
  state: "running" | "done" | "failed" | "cancelled";
  steps: Step[];
  result: string;
}

type Node = Run | Step;

const ICONS = { running: "loading~spin", done: "pass", failed: "error", cancelled: "circle-slash" } as const;

export class RunsView implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly runs: Run[] = [];
  private timer: NodeJS.Timeout | undefined;

  take(event: RunEvent): void {
    let run = this.runs.find((item) => item.id === event.run);
    if (run === undefined) {
      run = { id: event.run, label: event.name ?? "run", state: "running", steps: [], result: "" };
      this.runs.unshift(run);
    }
    this.add(run, event);
    // Events come faster than a tree is drawn.
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire();
    }, 80);
  }

  private add(run: Run, event: RunEvent): void {
    const seconds = `${(event.seconds ?? 0).toFixed(2)} s`;
    switch (event.event) {
      case "RunStarted":
        run.label = event.name?.split("/").pop() ?? run.label;
        break;
      case "TaskStarted":
        run.steps.push({ label: event.task ?? "", description: "…", icon: "loading~spin", call: event.call });
        break;
      case "TaskFinished": {
        const step = run.steps.find((item) => item.call === event.call && item.icon === "loading~spin");
        const tokens = event.result?.notes?.tokens;
        if (step !== undefined) {
          step.description = seconds + (tokens === undefined ? "" : `, ${tokens.input} → ${tokens.output} tokens`);
          step.icon = event.status === "COMPLETE" ? "pass" : "error";
          step.text = event.result?.content;
        }
        break;
      }
      case "ToolCalled":
        run.steps.push({ label: event.tool ?? "", description: seconds, icon: event.failed === true ? "error" : "tools" });
        break;
      case "FormEntered":
        if (typeof event.iteration === "number") {
          run.steps.push({ label: event.form ?? "", description: `iteration ${event.iteration}`, icon: "sync" });
        }
        break;
      case "Warned":
      case "Logged":
        run.steps.push({ label: event.message ?? "", description: "", icon: event.event === "Warned" ? "warning" : "note" });
        break;
      case "RunFinished":
      case "RunFailed":
        run.state = event.event === "RunFinished" ? "done" : "failed";
        run.result = event.result?.content ?? "";
        break;
      case "RunCancelled":
        run.state = "cancelled";
        break;
    }
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.runs;
    return "steps" in node ? node.steps : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (!("steps" in node)) {
      const item = new vscode.TreeItem(node.label);
      item.description = node.description;
      item.iconPath = new vscode.ThemeIcon(node.icon);
      if (node.text !== undefined) item.tooltip = node.text;
      return item;
    }
    const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = node.id;
    item.description = node.state;
    item.iconPath = new vscode.ThemeIcon(ICONS[node.state]);
    item.tooltip = node.result;
    item.contextValue = `run-${node.state}`;
    return item;
  }
}
