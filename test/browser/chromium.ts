// The browser of the browser tests: Debian's Chromium, without windows where it is installed, or the one that CHROMIUM names (docs/testing.md).
// Without one they are skipped, but never where CI is set.
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

/** It takes half of the processor that the other does, and shows no notifications. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'
const withNotifications = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const usual = process.env['CHROMIUM'] ?? (existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : withNotifications)

const whyWithout = (path: string): false | string =>
  existsSync(path) || process.env['CI'] ? false : `install chromium (looked for ${path}) to run these`

/** False, or why browser tests are skipped here. */
export const skip = whyWithout(usual)
/** The same of those that `withWindows` runs. */
export const skipWindows = whyWithout(withNotifications)

// Chromium's own sandbox needs more rights than a container gives.
const launched = (executablePath: string) => chromium.launch({ executablePath, args: ['--no-sandbox'] })

let started: Promise<Browser> | undefined
after(async () => (await started)?.close())

/** The browser of this process, for one test after another; what was opened in it is closed when `work` is done. */
export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  started ??= launched(usual)
  // One that fell over takes no other test with it.
  if (!(await started).isConnected()) started = launched(usual)
  const browser = await started
  try {
    await work(browser)
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
}

/** One of its own for a test, which can show notifications. */
export async function withWindows(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launched(withNotifications)
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}
