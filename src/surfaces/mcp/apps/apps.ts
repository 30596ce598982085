// Apps (the extension MCP Apps): pages in a frame of the host for three answers where a picture helps. They show what a tool gave and decide nothing: a
// yes is given on the page of the site that they link to. The answer of the tool is the same with them and without.
import type { ReadResourceResult } from '@modelcontextprotocol/server'
import type { Config } from '../../../config/config.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
export const appsCapability = { [APPS_EXTENSION]: {} }
const MIME_TYPE = 'text/html;profile=mcp-app'
const SCHEME = 'ui://guildhall/'

const titles = {
  bug: 'A bug',
  permissions: 'What a version of an item may do that another may not',
  pending: 'Writes that wait for a yes',
} as const
type View = keyof typeof titles
const views = ['bug', 'permissions', 'pending'] as const

/** The tools whose answers have a page. */
const shownBy: Readonly<Record<string, View>> = {
  ...{ get_bug: 'bug', create_bug: 'bug' },
  ...{ compare_library_versions: 'permissions', list_pending_acts: 'pending' },
}

/** What the definition of a tool says of its page. */
export function appOf(tool: string): { _meta?: { ui: { resourceUri: string } } } {
  const view = shownBy[tool]
  return view === undefined ? {} : { _meta: { ui: { resourceUri: SCHEME + view } } }
}

/** No origin but its own frame: nothing is loaded, and nothing is sent elsewhere. */
const meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } }

export const listedApps = views.map((view) => ({
  ...{ name: `app-${view}`, title: titles[view], uri: SCHEME + view, mimeType: MIME_TYPE },
  _meta: meta,
}))

/** A page; undefined where there is none. */
export function readApp(uri: string, { baseUrl }: Pick<Config, 'baseUrl'>): ReadResourceResult | undefined {
  const view = views.find((one) => SCHEME + one === uri)
  return view && { contents: [{ uri, mimeType: MIME_TYPE, text: pageOf(view, baseUrl), _meta: meta }] }
}

const pageOf = (view: View, baseUrl: string): string => `<!doctype html>
<html lang="en" data-view="${view}" data-base="${new URL(baseUrl).href.replace(/\/$/, '')}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${titles[view]}</title><style>${style}</style></head>
<body><main id="main"></main><script>${script}</script></body>
</html>
`
