/** What does the server ask of the editor: missing inputs, and answers of the editor's own models? */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

interface Question {
  task: string;
  input: string;
  type: string;
  description: string;
}

interface Request {
  system?: string;
  messages: { role: "user" | "assistant"; content: unknown }[];
}

export function answerRequests(client: LanguageClient): void {
  client.onRequest("dramaturg/askInput", async (question: Question): Promise<unknown> => {
    const prompt = `${question.input} (${question.type})${question.description === "" ? "" : `: ${question.description}`}`;
    const options = { title: question.task, prompt, ignoreFocusOut: true };
    const value =
      question.type === "boolean"
        ? await vscode.window.showQuickPick(["true", "false"], { title: question.task, placeHolder: prompt })
        : await vscode.window.showInputBox(options);
    if (value === undefined) return null;
    return question.type === "string" ? value : parsed(value);
  });
  client.onRequest("dramaturg/complete", async (request: Request, token: vscode.CancellationToken): Promise<object> => {
    const [model] = await vscode.lm.selectChatModels();
    if (model === undefined) return { error: "no language model is installed in this editor" };
    const messages = request.messages.map((message) => {
      const text = typeof message.content === "string" ? message.content : JSON.stringify(message.content);
      return message.role === "assistant"
        ? vscode.LanguageModelChatMessage.Assistant(text)
        : vscode.LanguageModelChatMessage.User(text);
    });
    if (request.system !== undefined && request.system !== "") {
      messages.unshift(vscode.LanguageModelChatMessage.User(request.system));
    }
    try {
      const answer = await model.sendRequest(messages, { justification: "A task of this workspace is run." }, token);
      let content = "";
      for await (const piece of answer.text) content += piece;
      return { content, model: model.id };
    } catch (error) {
      return { error: String(error) };
    }
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
