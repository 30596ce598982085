// The site in a browser: a server of its own, visitors with and without script, and everything a browser complains of.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Account } from '../../src/accounts/sign-in/contract.ts'
import type { Role } from '../../src/contract/operation.ts'
import { grantRole } from '../../src/identity/roles.ts'
import { sqliteDatabase } from '../databases.ts'
import { serve } from '../mcp/serve.ts'
import { freePort } from '../server.ts'
import { makeWorld, type World } from '../world.ts'
import { withBrowser } from './chromium.ts'

export const PASSWORD = 'correct horse battery'

export interface Site {
  origin: string
  world: World
  browser: Browser
}

export interface Visitor {
  page: Page
  context: BrowserContext
  /** Set when the visitor has an account. */
  account: Account | undefined
  /** Goes to a path of the site. */
  open(path: string): Promise<void>
  /** Fails if the browser complained of anything since the last time. */
  checkComplaints(): void
}

interface Options {
  scripted?: boolean
  /** Signs up under this name; without it the visitor is anonymous. */
  name?: string
  role?: Role
  /** Signed up, but without a username. */
  nameless?: boolean
  width?: number
  scheme?: 'light' | 'dark'
  /** What the browser asks for; English otherwise. */
  language?: string
  /** Whether the screen is touched. */
  touch?: boolean
}

/** Starts the site, and ends it when `work` is done. */
export async function withSite(
  work: (site: Site) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const database = await sqliteDatabase()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const world = await makeWorld(database, { BASE_URL: origin, PORT: String(port), ...settings })
  const server = await serve(world.app, port)
  try {
    await withBrowser((browser) => work({ origin, world, browser }))
  } finally {
    await server.close()
    await database.remove()
  }
}

/** A user with a separate browser. */
export async function visit({ browser, origin, world }: Site, options: Options = {}): Promise<Visitor> {
  const { scripted = true, name, role, nameless = false, width = 1280, scheme = 'light', touch = false } = options
  const context = await browser.newContext({
    baseURL: origin,
    javaScriptEnabled: scripted,
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: scheme,
    hasTouch: touch,
    ...(options.language && { locale: options.language }),
  })
  // A slow machine takes its time; what is right takes no longer for it.
  context.setDefaultTimeout(30_000)
  const account = name === undefined ? undefined : await join(context, { name, nameless })
  if (account && role) await grantRole(world.dependencies, account.email, { role, now: new Date().toISOString() })
  const page = await context.newPage()
  const complaints = collectComplaints(page)
  return {
    page,
    context,
    account,
    open: async (path) => void (await page.goto(path)),
    checkComplaints: () => assert.deepEqual(complaints.splice(0), []),
  }
}

async function join(
  context: BrowserContext,
  { name, nameless }: { name: string; nameless: boolean },
): Promise<Account> {
  const data = { name, email: `${name}@example.com`, password: PASSWORD }
  const response = await context.request.post('/api/auth/sign-up/email', { data })
  assert.equal(response.status(), 200, await response.text())
  if (!nameless) await context.request.post('/api/community/username', { data: { username: name } })
  return ((await response.json()) as { user: Account }).user
}

function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const { url } = message.location()
    // A page that was asked for in vain says so by its status; that is no fault of the page.
    if (message.type() === 'error' && /status of 4\d\d/.test(message.text()) && url === page.url()) return
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.text()} (${url})`)
  })
  page.on('pageerror', (error) => {
    // Chromium's words for a page that takes no part in transitions, and for one that is shown before its began.
    if (!/ViewTransition opt-in disabled|Page already revealed/.test(String(error))) complaints.push(String(error))
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!['data:', 'blob:'].includes(url.protocol) && url.hostname !== 'localhost') complaints.push(`asked for ${url}`)
  })
  return complaints
}

/** Where an act leads the browser that ends at an app below this address: the app is not there, so the request fails. */
export async function ledTo(page: Page, app: string, act: () => Promise<unknown>): Promise<URL> {
  const failing = page.waitForEvent('requestfailed', (request) => request.url().startsWith(app))
  const [request] = await Promise.all([failing, act()])
  await page.waitForURL(/^chrome-error:/, { waitUntil: 'commit' })
  return new URL(request.url())
}

/** Pictures below the screen are loaded when they are scrolled to, which a screenshot does not do. */
export const loadImages = (page: Page) =>
  page.evaluate(async () => {
    const images = [...document.images]
    for (const image of images) image.loading = 'eager'
    await Promise.all([document.fonts.ready, ...images.map((image) => image.decode().catch(() => undefined))])
  })
