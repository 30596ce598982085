// The browser of the browser tests: Debian's Chromium, without windows where it is installed, or the one that CHROMIUM names (docs/testing.md).
// Without one they are skipped, but never where CI is set.
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

/** The first takes half of the processor that the second does. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path)) ?? '/usr/bin/chromium'

/** False, or why browser tests are skipped here. */
export const skip: false | string =
  existsSync(executablePath) || process.env['CI']
    ? false
    : `install chromium (looked for ${executablePath}) to run these`

let started: Promise<Browser> | undefined
after(async () => (await started)?.close())

/** The browser of this process, for one test after another; what was opened in it is closed when `work` is done. */
export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  // Chromium's own sandbox needs more rights than a container gives.
  const launch = () => chromium.launch({ executablePath, args: ['--no-sandbox'] })
  started ??= launch()
  // One that fell over takes no other test with it.
  if (!(await started).isConnected()) started = launch()
  const browser = await started
  try {
    await work(browser)
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
}
