// Warnings about an automation: fields of a type that is not read, and files that its manifest names and the archive does not have.
import { isObject } from './permission-set.ts'
import type { Findings } from './warning.ts'

interface AutomationWarningOptions {
  /** The files of the archive, if they are known. */
  paths: readonly string[] | undefined
  findings: Findings
}

/** Fields that are read if they are text. */
const TEXTS = [['description'], ['publisher', 'name'], ['requires', 'native'], ['policy', 'tier'], ['engine']]
const HOST =
  /^(?:[\w*+.-]+:\/\/)?(?:\*|(?:\*\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?)(?::\d+)?(?:\/.*)?$|^<all_urls>$/u

export function automationWarnings(
  manifest: Record<string, unknown>,
  { paths, findings }: AutomationWarningOptions,
): void {
  for (const path of TEXTS) {
    const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), manifest)
    if (value !== undefined && value !== null && typeof value !== 'string')
      findings.add(path, 'is no text, so it is not read')
  }
  const { site, permissions, actions } = manifest
  if (site !== undefined && !isObject(site)) findings.add(['site'], 'is no object, so it is not read')
  const domains = isObject(site) ? site['domains'] : undefined
  for (const [index, domain] of textsIn(domains)) {
    if (!HOST.test(domain.slice(0, 300))) findings.add(['site', 'domains', index], 'is no name of a site')
  }
  if (permissions !== undefined && !isObject(permissions))
    findings.add(['permissions'], 'is no object, so it is not read')
  const granted = isObject(permissions) ? permissions : {}
  for (const list of ['steps', 'scripts']) mixed(granted[list], ['permissions', list], findings)
  if (!['boolean', 'undefined'].includes(typeof granted['downloads']) && granted['downloads'] !== null)
    findings.add(['permissions', 'downloads'], 'is neither true nor false, so it counts as true')
  if (paths) named({ actions, scripts: granted['scripts'] }, { paths, findings })
}

/** What is expected of a list of texts. */
function mixed(list: unknown, path: string[], findings: Findings): void {
  if (list === undefined || list === null) return
  if (!Array.isArray(list)) findings.add(path, 'is no list, so it is not read')
  else if (list.some((entry) => typeof entry !== 'string'))
    findings.add(path, 'has entries that are no text and are not read')
}

/** Files that have to be there, and files of actions that nothing names. */
function named(
  { actions, scripts }: { actions: unknown; scripts: unknown },
  { paths, findings }: { paths: readonly string[]; findings: Findings },
): void {
  const there = new Set(paths)
  const offered = new Set<string>()
  for (const [index, action] of textsIn(actions)) {
    const file = `actions/${action}.json`
    offered.add(file)
    if (!there.has(file)) findings.add(['actions', index], `the archive has no file ${file}`)
  }
  for (const [index, script] of textsIn(scripts)) {
    if (![script, `scripts/${script}`, `scripts/${script}.js`].some((file) => there.has(file)))
      findings.add(['permissions', 'scripts', index], `the archive has no file scripts/${script}.js`)
  }
  for (const path of paths) {
    if (/^actions\/[^/]+\.json$/.test(path) && !offered.has(path)) findings.add([path], 'is no action of the manifest')
  }
}

const textsIn = (list: unknown): [number, string][] =>
  Array.isArray(list) ? [...list.entries()].filter((pair): pair is [number, string] => typeof pair[1] === 'string') : []
