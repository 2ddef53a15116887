/** What do the commands of palette, lenses and views do? They ask for what is missing and show what comes back. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { ContextView, type Match, type Matches } from "./contextView";
import type { Task, TasksView } from "./tasksView";

interface TaskResult {
  content: string;
  status: "COMPLETE" | "CONTINUATION" | "FAILED";
}

interface Preview {
  request?: { model: string; system?: string; messages: { role: string; content: unknown }[] };
  tokens?: number;
  content?: string;
}

interface Tests {
  passed: number;
  failed: number;
  tests: { name: string; uri: string; line: number; status: string; message: string }[];
}

interface Parts {
  client: () => LanguageClient | undefined;
  output: vscode.OutputChannel;
  matches: ContextView;
  tasks: TasksView;
}

export class Commands {
  constructor(private readonly parts: Parts) {}

  async execute<T>(command: string, argument: object = {}): Promise<T | undefined> {
    const running = this.parts.client();
    if (running === undefined) {
      void vscode.window.showWarningMessage("Dramaturg's server is not running.");
      return undefined;
    }
    return running.sendRequest<T>("workspace/executeCommand", { command, arguments: [argument] });
  }

  register(context: vscode.ExtensionContext): void {
    const register = (name: string, action: (...given: never[]) => Promise<void>): void => {
      context.subscriptions.push(vscode.commands.registerCommand(name, action));
    };
    register("dramaturg.runCurrentWorkflow", async () => {
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      if (uri !== undefined) await this.lens("dramaturg.runWorkflow", { uri });
    });
    register("dramaturg.runFormAtCursor", async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return;
      await this.lens("dramaturg.runWorkflow", { uri: editor.document.uri.toString(), range: editor.selection });
    });
    register("dramaturg.runTestsHere", async () => {
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      await this.lens("dramaturg.runTests", uri === undefined ? {} : { uri });
    });
    register("dramaturg.pickAndRunTask", async (task?: Task) => {
      const name = task?.name ?? (await this.pick());
      if (name !== undefined) await this.lens("dramaturg.runTask", { name });
    });
    register("dramaturg.pickAndPreviewTask", async (task?: Task) => {
      const name = task?.name ?? (await this.pick());
      if (name !== undefined) await this.lens("dramaturg.previewTask", { name });
    });
    register("dramaturg.showContextMatches", async () => {
      const query = await vscode.window.showInputBox({ prompt: "What are the files about?" });
      if (query !== undefined && query !== "") await this.lens("dramaturg.contextMatches", { query });
    });
    register("dramaturg.contextOfForm", async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return;
      const argument = { uri: editor.document.uri.toString(), position: editor.selection.active };
      await this.lens("dramaturg.contextMatches", argument);
    });
    register("dramaturg.cancel", async () => {
      await this.execute("dramaturg.cancelRun");
    });
    register("dramaturg.index", async () => {
      const report = await this.execute<{ files?: number; error?: string }>("dramaturg.indexWorkspace");
      if (report?.error !== undefined) void vscode.window.showErrorMessage(report.error);
      else if (report !== undefined) void vscode.window.setStatusBarMessage(`Dramaturg: ${report.files} files indexed`, 5000);
    });
    register("dramaturg.openRunPage", async () => {
      const runs = (await this.execute<{ id: string; name: string; status: string; started: number }[]>("dramaturg.listRuns")) ?? [];
      const picked = await vscode.window.showQuickPick(
        runs.map((run) => ({ label: run.name, description: `${run.status}, ${new Date(run.started * 1000).toLocaleString()}`, run })),
        { placeHolder: runs.length === 0 ? "No runs are logged yet" : "A run" },
      );
      const shown = picked && (await this.execute<{ page: string }>("dramaturg.showRun", { run: picked.run.id }));
      if (shown !== undefined) await openPage(shown.page, picked?.run.name ?? "Run");
    });
    register("dramaturg.refreshTasks", async () => this.parts.tasks.refresh());
    register("dramaturg.pinMatch", async (match: Match) => this.parts.matches.pin(match));
    register("dramaturg.leaveOutMatch", async (match: Match) => this.parts.matches.leaveOut(match));
    register("dramaturg.copyMatches", async () => vscode.env.clipboard.writeText(this.parts.matches.paths.join("\n")));
  }

  /** One of the server's commands, with what it answers shown; also what code lenses run. */
  async lens(command: string, argument: object): Promise<unknown> {
    switch (command) {
      case "dramaturg.runTask":
      case "dramaturg.runWorkflow": {
        const result = await this.execute<TaskResult>(command, argument);
        this.show(result);
        return result;
      }
      case "dramaturg.runTests": {
        const found = await this.execute<Tests>(command, argument);
        if (found !== undefined) this.tests(found);
        return found;
      }
      case "dramaturg.previewTask":
        return preview(await this.execute<Preview>(command, argument));
      case "dramaturg.contextMatches": {
        const found = await this.execute<Matches>(command, argument);
        if (found?.error !== undefined) void vscode.window.showErrorMessage(found.error);
        else if (found !== undefined) {
          this.parts.matches.show(found);
          await vscode.commands.executeCommand("dramaturg.context.focus");
        }
        return found;
      }
      default:
        return this.execute(command, argument);
    }
  }

  private async pick(): Promise<string | undefined> {
    const tasks = (await this.execute<Task[]>("dramaturg.listTasks")) ?? [];
    const items = tasks.map((task) => ({ label: task.name, detail: task.description }));
    return (await vscode.window.showQuickPick(items, { placeHolder: "A task" }))?.label;
  }

  private show(result: TaskResult | undefined): void {
    if (result === undefined) return;
    this.parts.output.appendLine(`— ${new Date().toLocaleTimeString()} ${result.status}\n${result.content}\n`);
    this.parts.output.show(true);
  }

  private tests(found: Tests): void {
    for (const test of found.tests) {
      const place = `${vscode.workspace.asRelativePath(vscode.Uri.parse(test.uri))}:${test.line + 1}`;
      this.parts.output.appendLine(`${test.status} ${test.name}${test.message === "" ? "" : `  ${place}: ${test.message}`}`);
    }
    this.parts.output.appendLine(`${found.passed} passed, ${found.failed} failed\n`);
    this.parts.output.show(true);
  }
}

async function preview(found: Preview | undefined): Promise<void> {
  if (found === undefined) return;
  if (found.request === undefined) {
    void vscode.window.showErrorMessage(found.content ?? "There is nothing to preview.");
    return;
  }
  const parts = [`# ${found.request.model}, about ${found.tokens ?? 0} tokens`];
  if (found.request.system !== undefined && found.request.system !== "") parts.push("## system", found.request.system);
  for (const message of found.request.messages) {
    const content = typeof message.content === "string" ? message.content : JSON.stringify(message.content, null, 2);
    parts.push(`## ${message.role}`, content);
  }
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: parts.join("\n\n") });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

/** The page of a run in a webview: its own policy forbids the network. */
async function openPage(uri: string, title: string): Promise<void> {
  const panel = vscode.window.createWebviewPanel("dramaturg.run", title, vscode.ViewColumn.Active, { enableScripts: false });
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri));
  panel.webview.html = new TextDecoder().decode(bytes);
}
