// MCP Apps: the pages by the schemas of the extension's own package, and run against its host side (AppBridge). The window that they run in has what their
// script uses and no more, so nothing but text gets into it and nothing is fetched.
import assert from 'node:assert/strict'
import { createContext, runInContext } from 'node:vm'
import {
  AppBridge,
  McpUiResourceMetaSchema,
  McpUiToolMetaSchema,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge'
import { agentThatAsks, bug } from '../pending.ts'
import { BASE_URL, onEveryEngine, type World } from '../world.ts'
import { ask, callTool, eras, type Result } from './caller.ts'

const LIST = { headers: { 'MCP-Tools': 'all' } }
const uriOf = (view: string) => `ui://guildhall/${view}`

interface Node {
  name: string
  className: string
  children: Node[]
  data: string
  listeners: (() => void)[]
}

/** An element of the window; its text is what its reader sees. */
function nodeOf(name: string, data = ''): Node & Record<string, unknown> {
  const node = {
    ...{
      name,
      className: '',
      data,
      dataset: {},
      children: [] as Node[],
      listeners: [] as (() => void)[],
      scrollHeight: 40,
    },
    append: (one: Node) => void node.children.push(one),
    replaceChildren: (...some: (Node | string)[]) => {
      node.children = some.map((one) => (typeof one === 'string' ? nodeOf('#text', one) : one))
    },
    addEventListener: (_: string, listener: () => void) => void node.listeners.push(listener),
  }
  return node
}

const textOf = ({ data, children }: Node): string => data + children.map(textOf).join('|')
const buttonsIn = (node: Node): Node[] => [
  ...(node.name === 'button' ? [node] : []),
  ...node.children.flatMap(buttonsIn),
]

interface RenderedApp {
  text: string
  theme: unknown
  /** Presses each button; gives the addresses that the host was asked to open. */
  press(): Promise<string[]>
}

/** A page in a host that shows it the result of a tool. */
async function shown(page: string, result: Result, context: object = {}): Promise<RenderedApp> {
  const main = nodeOf('main')
  const root = nodeOf('html')
  const [, view, base] = /data-view="(\w+)" data-base="([^"]+)"/.exec(page) ?? []
  root['dataset'] = { view, base }
  let hear: (event: object) => void = () => {}
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    start: async () => {},
    close: async () => {},
    send: async (message: object) => hear({ source: parent, data: JSON.parse(JSON.stringify(message)) }),
  }
  const parent = {
    postMessage: (message: object) => void queueMicrotask(() => transport.onmessage?.(message as never)),
  }
  const bridge = new AppBridge(null, { name: 'a-host', version: '1' }, { openLinks: {} }, {
    hostContext: context,
  } as never)
  const opened: string[] = []
  bridge.onopenlink = async ({ url }) => {
    opened.push(url)
    return {}
  }
  const ready = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()))
  await bridge.connect(transport as never)
  const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? ''
  const window = {
    ...{ parent, Map, Promise, JSON, Object, Math, Date, encodeURIComponent },
    document: {
      documentElement: root,
      getElementById: () => main,
      createElement: (name: string) => nodeOf(name),
      createTextNode: (data: string) => nodeOf('#text', data),
    },
    addEventListener: (_: string, listener: (event: object) => void) => {
      hear = listener
    },
    ResizeObserver: class {
      observe() {}
    },
  }
  runInContext(script, createContext(window))
  await ready
  await bridge.sendToolResult(result as never)
  return {
    text: textOf(main),
    theme: (root['dataset'] as { theme?: string }).theme,
    async press() {
      for (const { listeners } of buttonsIn(main)) for (const listener of listeners) listener()
      await new Promise((resolve) => setImmediate(resolve))
      return opened
    },
  }
}

async function pageOf({ app }: World, view: string): Promise<string> {
  const { messages } = await ask(app, 'resources/read', { uri: uriOf(view) })
  const { contents } = (messages[0]?.result ?? {}) as unknown as {
    contents: { text: string; mimeType: string; _meta: { ui: object } }[]
  }
  assert.equal(contents[0]?.mimeType, RESOURCE_MIME_TYPE)
  McpUiResourceMetaSchema.parse(contents[0]._meta.ui)
  return contents[0].text
}

const HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script>'

onEveryEngine('apps of MCP', (it) => {
  it('are named by tools, listed, and load nothing from elsewhere', async (world) => {
    for (const era of eras) {
      const { messages } = await ask(world.app, 'tools/list', {}, { era, ...LIST })
      const { tools } = (messages.at(-1)?.result ?? {}) as unknown as {
        tools: { name: string; _meta?: { ui: object } }[]
      }
      const named = tools.flatMap(({ name, _meta }) =>
        _meta ? [[name, McpUiToolMetaSchema.parse(_meta.ui).resourceUri]] : [],
      )
      assert.deepEqual(Object.fromEntries(named), {
        ...{ get_bug: uriOf('bug'), create_bug: uriOf('bug') },
        ...{ compare_library_versions: uriOf('permissions'), list_pending_acts: uriOf('pending') },
      })
      const listed = await ask(world.app, 'resources/list', {}, { era })
      const { resources } = (listed.messages.at(-1)?.result ?? {}) as unknown as { resources: { uri: string }[] }
      assert.equal(resources.filter(({ uri }) => uri.startsWith('ui://')).length, 3)
      const unknown = await ask(world.app, 'resources/read', { uri: uriOf('other') }, { era })
      assert.ok(unknown.messages.at(-1)?.error)
    }
    for (const view of ['bug', 'permissions', 'pending']) {
      const page = await pageOf(world, view)
      assert.ok(page.length < 12_000, `${page.length} characters`)
      assert.doesNotMatch(
        page,
        /(src|href)=|url\(|@import|fetch\(|XMLHttpRequest|innerHTML|eval\(|https?:(?!\/\/localhost)/,
      )
      assert.match(page, /prefers-color-scheme: dark/)
    }
  })

  it('show a bug as it reads, in both languages, light and dark', async (world) => {
    const { id } = await world.bob.bugs.create({ ...bug, title: HOSTILE, severity: 'high' })
    const page = await pageOf(world, 'bug')
    const result = await callTool(world.app, 'get_bug', { id })
    const english = await shown(page, result, { theme: 'dark', locale: 'en-GB' })
    assert.match(english.text, /onerror=alert/)
    assert.match(english.text, /Severity\|high/)
    assert.equal(english.theme, 'dark')
    const german = await shown(page, result, { theme: 'light', locale: 'de-DE' })
    assert.match(german.text, /Schwere\|hoch/)
    assert.equal(german.theme, 'light')
    for (const address of await english.press()) assert.ok(address.startsWith(`${BASE_URL}/`), address)
  })

  it('say that there is nothing to show where a tool has refused', async (world) => {
    const refused = await callTool(world.app, 'get_bug', { id: 'no-such-bug' }, {})
    assert.equal(refused.isError, true)
    const page = await shown(await pageOf(world, 'bug'), refused, { locale: 'de' })
    assert.match(page.text, /^Es gibt nichts zu zeigen/)
  })

  it('show what waits, and lead to the page where the account decides', async (world) => {
    const agent = await agentThatAsks(world)
    const asking = { token: agent.accessToken }
    const waiting = await callTool(world.app, 'create_bug', { ...bug, title: HOSTILE }, asking)
    const { pending } = waiting.structuredContent as { pending: { id: string } }
    const address = `${BASE_URL}/settings/pending/${pending.id}`
    assert.deepEqual(await (await shown(await pageOf(world, 'bug'), waiting)).press(), [address])
    const list = await callTool(world.app, 'list_pending_acts', {}, asking)
    const page = await shown(await pageOf(world, 'pending'), list, { locale: 'de' })
    assert.match(page.text, /möchte/)
    assert.match(page.text, /onerror=alert/)
    assert.deepEqual(await page.press(), [address])
    // Pressed or not, it waits.
    assert.equal((await world.alice.pendingActs.get({ id: pending.id })).state, 'waiting')
  })

  it('show what a version may do that another may not', async (world) => {
    const permissions = {
      added: [{ type: 'site', name: 'evil.example' }],
      removed: [{ type: 'secret', name: 'KEY' }],
      kept: [],
    }
    const structuredContent = { from: { version: '1.0.0' }, to: { version: '1.1.0' }, permissions }
    const { text } = await shown(await pageOf(world, 'permissions'), { content: [], structuredContent })
    assert.match(text, /1\.0\.0 → 1\.1\.0\|New\|\+ site · evil\.example\|Gone\|− secret · KEY/)
  })
})
