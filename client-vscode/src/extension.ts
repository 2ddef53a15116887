/** Starts the server and offers its commands; what is checked and run is the server's business. */
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, type LanguageClientOptions } from "vscode-languageclient/node";

import { registerCommands } from "./commands";
import { findServer } from "./server";

let client: LanguageClient | undefined;

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
  registerCommands(context, () => client, output);
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
    initializationOptions: { trusted, ...(trusted && replay.length > 0 ? { replay } : {}) },
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
  };
  client = new LanguageClient("dramaturg", "Dramaturg", { command, args: ["lsp"] }, options);
  try {
    await client.start();
  } catch (error) {
    output.appendLine(String(error));
    void vscode.window.showErrorMessage(`Dramaturg's server (${command}) did not start: see the output “Dramaturg”.`);
  }
}
