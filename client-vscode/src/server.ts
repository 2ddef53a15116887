/** Where is the server's command? */
import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";

import * as vscode from "vscode";

/** The command of the setting, else of a trusted workspace folder's `.venv`, else of the PATH. */
export async function findServer(): Promise<string | undefined> {
  const configured = vscode.workspace.getConfiguration("dramaturg").get<string>("server.path", "");
  if (configured !== "") return configured;
  for (const folder of vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : []) {
    const candidate = path.join(folder.uri.fsPath, ".venv", "bin", "dramaturg");
    if (await isExecutable(candidate)) return candidate;
  }
  return (await runs("dramaturg")) ? "dramaturg" : undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function runs(command: string): Promise<boolean> {
  return promisify(execFile)(command, ["--version"]).then(
    () => true,
    () => false,
  );
}
