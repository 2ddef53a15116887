// A conversation with a real VS Code (code-server, which is VS Code in a browser), driven by headless Chromium.
//
//   node tests/editors/vscode.mjs CODE_SERVER VSIX DRAMATURG WORKSPACE SHOTS
//
// CODE_SERVER is the command of code-server 4.139.1 (it wants Node 24), VSIX the packaged extension
// (`npx @vscode/vsce package --no-dependencies` in client-vscode), DRAMATURG the server's command, WORKSPACE a copy
// of examples/bug-hunt that is a git repository, SHOTS a folder for screenshots. playwright-core must be
// resolvable from the working folder, Chromium is /usr/bin/chromium.
import { spawn, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import fs from "node:fs"; import net from "node:net"; import path from "node:path"; import os from "node:os";
// Resolved from the working folder: the test has no dependencies of its own in this repository.
const { chromium } = createRequire(path.join(process.cwd(), "package.json"))("playwright-core");
const t0 = Date.now(); const log = (...a) => console.log(((Date.now() - t0) / 1000).toFixed(1).padStart(6), ...a);
const port = await new Promise(r => { const s = net.createServer().listen(0, "127.0.0.1", () => { const p = s.address().port; s.close(() => r(p)); }); });
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), "dvs-"));
const [bin, vsix, server, proj, shots] = process.argv.slice(2);
fs.writeFileSync(path.join(proj, "broken.wf"), `(define found (context-matches (query "check digit")))\n(plan-fix (reprot "lost"))\n(list found missing)\n`);
const user = path.join(tmp, "user"); for (const d of ["User", "Machine"]) fs.mkdirSync(path.join(user, d), { recursive: true });
fs.writeFileSync(path.join(user, "Machine", "settings.json"), JSON.stringify({ "dramaturg.server.path": server }));
fs.writeFileSync(path.join(user, "User", "settings.json"), JSON.stringify({ "dramaturg.server.path": server, "dramaturg.replay": ["recordings/find-and-plan.jsonl"],
  "security.workspace.trust.enabled": false, "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off", "extensions.autoUpdate": false, "extensions.autoCheckUpdates": false, "update.mode": "none",
  "workbench.tips.enabled": false, "chat.disableAIFeatures": true, "workbench.secondarySideBar.defaultVisibility": "hidden", "editor.hover.delay": 100, "window.dialogStyle": "custom", "workbench.colorTheme": "Default Dark Modern" }));
const env = { ...process.env, XDG_DATA_HOME: tmp, XDG_CONFIG_HOME: tmp };
const ext = path.join(tmp, "ext");
execFileSync(bin, ["--install-extension", vsix, "--user-data-dir", user, "--extensions-dir", ext], { env, stdio: "ignore" }); log("installed");
const cs = spawn(bin, ["--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override", "--user-data-dir", user, "--extensions-dir", ext, proj], { env, detached: true, stdio: ["ignore", fs.openSync(path.join(shots, "cs.log"), "w"), "inherit"] });
const stop = () => { try { process.kill(-cs.pid, "SIGTERM"); } catch {} };
process.on("exit", stop);
for (let i = 0; ; i++) { try { if ((await fetch(`http://127.0.0.1:${port}/healthz`)).ok) break; } catch {} if (i > 300) throw new Error("no server"); await new Promise(r => setTimeout(r, 200)); }
log("code-server is up");
const ctx = await chromium.launchPersistentContext(path.join(tmp, "chrome"), { executablePath: "/usr/bin/chromium", headless: true, viewport: { width: 1360, height: 850 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const page = await ctx.newPage(); page.setDefaultTimeout(30000);
const shot = (n) => page.screenshot({ path: path.join(shots, `vs-${n}.png`) });
const command = async (text, pick) => { await page.keyboard.press("F1"); await page.keyboard.type(text); await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text('${text}')`); await page.keyboard.press("Enter"); };
let ok = false;
try {
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(proj)}`);
  await page.waitForSelector(".monaco-workbench .explorer-folders-view .monaco-list-row"); log("workbench is up");
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "broken.wf" }).dblclick();
  await page.waitForSelector(".monaco-editor .squiggly-error"); log("squiggle");
  await page.locator(".monaco-editor .view-line span span", { hasText: /plan-fix/ }).first().hover();
  await page.waitForSelector(".monaco-hover:has-text('Drafts a plan')"); log("hover"); await shot("hover");
  await page.locator(".monaco-editor .view-line span span", { hasText: /reprot/ }).first().click();
  await page.keyboard.press("Control+.");
  await page.waitForSelector(".action-widget .monaco-list-row:has-text('Change to')"); await shot("fix"); await page.keyboard.press("Enter");
  await page.waitForSelector(".monaco-editor .view-line:has-text('(report ')"); log("fixed by its code action");
  await page.locator(".activitybar .action-item a[aria-label^='Dramaturg']").click();
  await page.waitForSelector(".pane-body .monaco-list-row:has-text('plan-fix')"); log("tasks view");
  await page.locator(".welcome-view-content a, .monaco-button", { hasText: "Find them" }).first().click(); await page.waitForSelector(".quick-input-widget:has-text('What are the files about')"); await page.keyboard.type("check digit"); await page.keyboard.press("Enter");
  await page.waitForSelector(".pane-body .monaco-list-row:has-text('isbn.py')"); log("context view");
  await page.keyboard.press("Control+P"); await page.keyboard.type("find-and-plan.wf"); await page.waitForSelector(".quick-input-list .monaco-list-row:has-text('find-and-plan.wf')"); await page.keyboard.press("Enter");
  await page.waitForSelector(".codelens-decoration a:has-text('Run workflow')"); log("lens");
  await page.locator(".codelens-decoration a", { hasText: "Run workflow" }).first().click();
  await page.waitForSelector(".pane-body .monaco-list-row:has-text('done')"); log("run seen to its end"); await shot("run");
  await command("Dramaturg: Open the Page of a Run"); await page.waitForSelector(".quick-input-list .monaco-list-row:has-text('find-and-plan.wf')"); await page.keyboard.press("Enter");
  await page.waitForSelector("iframe.webview"); await page.waitForTimeout(5000); await shot("page"); log("page");
  ok = true;
} catch (e) { console.log(String(e).slice(0, 1500)); await shot("fail"); }
await ctx.close(); stop(); log(ok ? "OK" : "FAILED"); process.exit(ok ? 0 : 1);
