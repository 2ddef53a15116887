/** Starts the server and offers its commands; what is checked and run is the server's business. */
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, type LanguageClientOptions } from "vscode-languageclient/node";

import { Commands } from "./commands";
import { ContextView } from "./contextView";
import { answerRequests } from "./requests";
import { RunsView, type RunEvent } from "./runsView";
import { findServer } from "./server";
import { TasksView, type Task } from "./tasksView";

let client: LanguageClient | undefined;
const matches = new ContextView();
const runs = new RunsView();
const tasks = new TasksView(async () => (await commands?.execute<Task[]>("dramaturg.listTasks")) ?? []);
let commands: Commands | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Dramaturg");
  context.subscriptions.push(output);
  context.subscriptions.push(
    vscode.commands.registerCommand("dramaturg.restartServer", () => start(output)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => start(output)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("dramaturg")) void start(output);
    }),
  );
  commands = new Commands({ client: () => client, output, matches, tasks });
  commands.register(context);
  context.subscriptions.push(
    vscode.window.registerTreeDataProvider("dramaturg.context", matches),
    vscode.window.registerTreeDataProvider("dramaturg.runs", runs),
    vscode.window.registerTreeDataProvider("dramaturg.tasks", tasks),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document.languageId === "dramaturg-task") void tasks.refresh();
    }),
  );
  await start(output);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(output: vscode.OutputChannel): Promise<void> {
  await client?.stop();
  client = undefined;
  const command = await findServer();
  if (command === undefined) {
    const choice = await vscode.window.showErrorMessage(
      "Dramaturg's server was not found. Install it with `pip install dramaturg`, or name it in the settings.",
      "Open Settings",
    );
    if (choice !== undefined) await vscode.commands.executeCommand("workbench.action.openSettings", "dramaturg.server.path");
    return;
  }
  const trusted = vscode.workspace.isTrusted;
  const replay = vscode.workspace.getConfiguration("dramaturg").get<string[]>("replay", []);
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "dramaturg-workflow" }, { language: "dramaturg-task" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{wf,task.xml}") },
    initializationOptions: {
      trusted,
      runEvents: true,
      askInput: true,
      complete: true,
      ...(trusted && replay.length > 0 ? { replay } : {}),
    },
    middleware: {
      // Code lenses name the server's commands: their results are shown here.
      executeCommand: async (command, given) => commands?.lens(command, (given[0] as object | undefined) ?? {}),
    },
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
  };
  client = new LanguageClient("dramaturg", "Dramaturg", { command, args: ["lsp"] }, options);
  answerRequests(client);
  client.onNotification("dramaturg/runEvent", (event: RunEvent) => runs.take(event));
  try {
    await client.start();
    await tasks.refresh();
  } catch (error) {
    output.appendLine(String(error));
    void vscode.window.showErrorMessage(`Dramaturg's server (${command}) did not start: see the output “Dramaturg”.`);
  }
}
