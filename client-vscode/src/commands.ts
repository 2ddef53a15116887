/** What do the palette's commands do? They ask for what is missing and show what comes back. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

interface TaskInput {
  name: string;
  required: boolean;
  type: string;
}

interface Task {
  name: string;
  description: string;
  inputs: TaskInput[];
}

interface TaskResult {
  content: string;
  status: "COMPLETE" | "CONTINUATION" | "FAILED";
}

interface Match {
  path: string;
  relevance: number;
  excerpt?: string;
  range: { start: { line: number } };
}

interface Matches {
  matches: Match[];
  error?: string;
}

export function registerCommands(
  context: vscode.ExtensionContext,
  client: () => LanguageClient | undefined,
  output: vscode.OutputChannel,
): void {
  const execute = async <T>(command: string, argument: object): Promise<T | undefined> => {
    const running = client();
    if (running === undefined) {
      void vscode.window.showWarningMessage("Dramaturg's server is not running.");
      return undefined;
    }
    return running.sendRequest<T>("workspace/executeCommand", { command, arguments: [argument] });
  };
  const register = (name: string, action: () => Promise<void>): void => {
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  };
  register("dramaturg.runCurrentWorkflow", async () => {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    if (uri !== undefined) show(output, await execute<TaskResult>("dramaturg.runWorkflow", { uri }));
  });
  register("dramaturg.runFormAtCursor", async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return;
    const argument = { uri: editor.document.uri.toString(), range: editor.selection };
    show(output, await execute<TaskResult>("dramaturg.runWorkflow", argument));
  });
  register("dramaturg.pickAndRunTask", async () => {
    const tasks = (await execute<Task[]>("dramaturg.listTasks", {})) ?? [];
    const picked = await vscode.window.showQuickPick(
      tasks.map((task) => ({ label: task.name, detail: task.description, task })),
      { placeHolder: "A task to run" },
    );
    if (picked === undefined) return;
    const inputs = await ask(picked.task);
    if (inputs !== undefined) show(output, await execute<TaskResult>("dramaturg.runTask", { name: picked.task.name, inputs }));
  });
  register("dramaturg.showContextMatches", async () => {
    const query = await vscode.window.showInputBox({ prompt: "What are the files about?" });
    if (query !== undefined && query !== "") await pickMatch(await execute<Matches>("dramaturg.contextMatches", { query }));
  });
  register("dramaturg.index", async () => {
    const report = await execute<{ files?: number; error?: string }>("dramaturg.indexWorkspace", {});
    if (report?.error !== undefined) void vscode.window.showErrorMessage(report.error);
    else if (report !== undefined) void vscode.window.setStatusBarMessage(`Dramaturg: ${report.files} files indexed`, 5000);
  });
}

/** The required inputs of a task, asked for one by one; undefined where the user gave up. */
async function ask(task: Task): Promise<Record<string, unknown> | undefined> {
  const inputs: Record<string, unknown> = {};
  for (const input of task.inputs.filter((item) => item.required)) {
    const value = await vscode.window.showInputBox({ title: task.name, prompt: `${input.name} (${input.type})`, ignoreFocusOut: true });
    if (value === undefined) return undefined;
    inputs[input.name] = input.type === "string" ? value : parsed(value);
  }
  return inputs;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function show(output: vscode.OutputChannel, result: TaskResult | undefined): void {
  if (result === undefined) return;
  output.appendLine(`— ${new Date().toLocaleTimeString()} ${result.status}\n${result.content}\n`);
  output.show(true);
}

async function pickMatch(found: Matches | undefined): Promise<void> {
  if (found === undefined) return;
  if (found.error !== undefined) {
    void vscode.window.showErrorMessage(found.error);
    return;
  }
  const items = found.matches.map((match) => ({
    label: `${"█".repeat(Math.round(match.relevance * 5)).padEnd(5, "░")} ${vscode.workspace.asRelativePath(match.path)}`,
    detail: match.excerpt?.split("\n").find((line) => line.replace(/^\d+:/, "").trim() !== "") ?? "",
    match,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: `${items.length} files match`, matchOnDetail: true });
  if (picked === undefined) return;
  const line = new vscode.Position(picked.match.range.start.line, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(picked.match.path), { selection: new vscode.Range(line, line) });
}
