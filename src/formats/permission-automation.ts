// What an automation may do: its manifest, its actions and its scripts (formats.md section 2).
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import { addScriptText } from './permission-scripts.ts'
import { isObject, type PermissionSet, type PermissionType } from './permission-set.ts'
import { addSite } from './permission-sites.ts'
import { addValue, type Place } from './permission-values.ts'

/** A file of an archive. */
export interface PackagedFile {
  path: string
  /** UTF-8, decoded; absent where it is not wanted, too large, or no text. */
  text?: string | undefined
}

/** Of one file; a larger one is not read, and may do anything. */
export const MAX_TEXT_BYTES = 1024 * 1024
const MAX_TEXTS_BYTES = 16 * 1024 * 1024

const MANIFEST = 'automation.json'
/** Files that nothing runs. All others are scripts, by any name. */
const PLAIN =
  /(?:^|\/)(?:readme|changelog|licen[cs]e|notice|authors|checksums)[^/]*$|\.(?:md|txt|csv|tsv|png|jpe?g|gif|webp|ico)$/i
const JSON_FILE = /\.json$/i

/** Which texts of an archive `permissionsOf` reads: asked for each file in the order of the archive. */
export class WantedTexts {
  #left = MAX_TEXTS_BYTES
  readonly #isPlain: (path: string) => boolean

  /** @param isPlain whether nothing is read of a file by its name */
  constructor(isPlain = (path: string) => PLAIN.test(path)) {
    this.#isPlain = isPlain
  }

  /** @param size of the file in bytes, inflated */
  wants(path: string, size: number): boolean {
    if (this.#isPlain(path) || size > MAX_TEXT_BYTES || size > this.#left) return false
    this.#left -= size
    return true
  }
}

export function automationPermissions(found: PermissionSet, files: readonly PackagedFile[]): void {
  const paths = new Set(files.map(({ path }) => path))
  for (const { path, text } of files) {
    if (path === MANIFEST) addManifest(found, parsed(text), paths)
    else if (JSON_FILE.test(path)) addJsonFile(found, path, text)
    else if (!PLAIN.test(path)) addScriptFile(found, path, text)
  }
  if (!paths.has(MANIFEST)) found.addAny('step', 'site', 'script')
}

function addScriptFile(found: PermissionSet, path: string, text: string | undefined): void {
  found.addExactly('script', path)
  if (text === undefined) found.addAny('site', 'secret')
  else addScriptText(found, text, path)
}

function addJsonFile(found: PermissionSet, path: string, text: string | undefined): void {
  const value = parsed(text)
  if (value === undefined) found.addAny('step', 'site', 'script')
  else addAction({ found, place: path }, value)
}

/** `input` and `output` describe what an action takes and returns; their keys are the author's. */
function addAction(place: Place, value: unknown): void {
  const described = ['input', 'inputs', 'output', 'outputs']
  addValue(place, '', { value, without: ['$schema', 'description', ...described] })
  for (const key of described) if (isObject(value)) addValue(place, 'schema', { value: value[key] })
}

/** Undefined for what is no JSON. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fields that say what the automation is, or that are read by a function of their own. */
const READ = [
  ...[
    'schema',
    'id',
    'name',
    'version',
    'description',
    'publisher',
    'license',
    'category',
    'icon',
    'engine',
    'homepage',
  ],
  ...['$schema', 'repository', 'actions', 'site', 'permissions', 'requires', 'policy', 'login'],
]

function addManifest(found: PermissionSet, manifest: unknown, paths: ReadonlySet<string>): void {
  if (!isObject(manifest)) {
    found.addAny('step', 'site', 'script')
    return
  }
  addDomains(found, manifest['site'])
  const permissions = manifest['permissions']
  const declaresSteps = isObject(permissions) && Array.isArray(permissions['steps'])
  if (isObject(permissions)) addDeclared(found, permissions, paths)
  else found.addDeclared('step', permissions)
  addRequired(found, manifest['requires'])
  const tier = isObject(manifest['policy']) ? manifest['policy']['tier'] : undefined
  if (typeof tier === 'string' && tier !== '' && tier !== 'standard') found.addExactly('step', `policy tier ${tier}`)
  addValue({ found, place: 'policy' }, '', { value: manifest['policy'], without: ['tier'] })
  if (manifest['login']) found.add('secret', 'login')
  addValue({ found, place: 'login' }, '', { value: manifest['login'] })
  addValue({ found, place: MANIFEST }, '', { value: manifest, without: READ })
  // How an action without a file runs is not in the archive: the steps that are declared bound it.
  const actions = Array.isArray(manifest['actions']) ? manifest['actions'] : []
  if (!declaresSteps && actions.some((action) => !paths.has(`actions/${action}.json`))) found.addAny('step')
}

/** `site` with its domains, and every other text in it that can be a site. */
function addDomains(found: PermissionSet, site: unknown): void {
  if (typeof site === 'string') addSite(found, site)
  const domains = isObject(site) ? site['domains'] : undefined
  for (const domain of Array.isArray(domains) ? domains : [domains]) {
    if (typeof domain === 'string') addSite(found, domain)
    else if (domain !== undefined && domain !== null) found.addAny('site')
  }
  addValue({ found, place: 'site' }, '', { value: site, without: ['domains'] })
}

const declared: Record<string, PermissionType> = {
  steps: 'step',
  downloads: 'download',
  callActions: 'connector',
  connectors: 'connector',
  secrets: 'secret',
  credentials: 'secret',
  models: 'model',
  schedules: 'schedule',
  schedule: 'schedule',
  triggers: 'schedule',
}

/** `permissions`: a key that is not known is a step of that name, so that it shows. */
function addDeclared(found: PermissionSet, permissions: Record<string, unknown>, paths: ReadonlySet<string>): void {
  for (const [key, value] of Object.entries(permissions)) {
    const type = Object.hasOwn(declared, key) ? declared[key] : undefined
    if (key === 'scripts') found.addDeclared('script', pathsOf(value, paths))
    else if (/^(?:sites|domains|hosts|origins|urls|network)$/.test(key)) addDeclaredSites(found, value)
    else if (type) found.addDeclared(type, value)
    else found.addDeclared('step', value, key)
  }
}

function addDeclaredSites(found: PermissionSet, value: unknown): void {
  for (const site of Array.isArray(value) ? value : [value]) {
    if (typeof site === 'string') addSite(found, site)
    else if (site !== undefined && site !== null && site !== false) found.addAny('site')
  }
}

/** A script is declared by its path, or by its name below `scripts/`. */
function pathsOf(scripts: unknown, paths: ReadonlySet<string>): unknown {
  if (!Array.isArray(scripts)) return scripts
  return scripts.map(
    (script) => [script, `scripts/${script}`, `scripts/${script}.js`].find((path) => paths.has(path)) ?? script,
  )
}

function addRequired(found: PermissionSet, requires: unknown): void {
  if (!isObject(requires)) {
    found.addDeclared('connector', requires)
    return
  }
  for (const [key, value] of Object.entries(requires)) {
    if (key === 'fragments') found.addDeclared('script', value, 'fragment')
    else if (key === 'native') found.addDeclared('connector', value === '' ? null : value)
    else found.addDeclared('connector', value, key)
  }
}
