// Apps (the extension MCP Apps): pages in a frame of the host for three answers where a picture helps. They show what a tool gave and decide nothing: a
// yes is given on the page of the site that they link to. The answer of the tool is the same with them and without.
import type { ReadResourceResult } from '@modelcontextprotocol/server'
import type { Config } from '../../../config/config.ts'
import { script } from './script.ts'

/** How the apps look: light or dark as their host says, or else as the system of the reader does. */
const style = `
:root { color-scheme: light; --ink: #1c1917; --faint: #57534e; --paper: #fff; --line: #d6d3d1; --good: #166534; --bad: #9f1239; --link: #1d4ed8 }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; --ink: #f5f5f4; --faint: #a8a29e; --paper: #1c1917; --line: #44403c;
  --good: #86efac; --bad: #fda4af; --link: #93c5fd } }
:root[data-theme=dark] { color-scheme: dark; --ink: #f5f5f4; --faint: #a8a29e; --paper: #1c1917; --line: #44403c; --good: #86efac; --bad: #fda4af; --link: #93c5fd }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { padding: 16px; overflow-wrap: anywhere }
h1 { font-size: 18px; margin: 0 0 8px } h2 { font-size: 15px; margin: 12px 0 4px }
p { margin: 0 0 8px } ul { margin: 0; padding-left: 4px; list-style: none }
section + section { border-top: 1px solid var(--line); margin-top: 16px; padding-top: 16px }
.over, .name { color: var(--faint) } .name { margin-right: 6px }
.facts { display: flex; flex-wrap: wrap; gap: 16px } .fact { margin: 0 }
.text { white-space: pre-wrap }
.added, ins { color: var(--good) } .removed, del { color: var(--bad) } ins { text-decoration: none }
button { font: inherit; color: var(--link); background: none; border: 1px solid currentColor; border-radius: 6px; padding: 6px 12px; cursor: pointer }
`

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
