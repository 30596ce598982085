// `automation.json`, the manifest of an automation (formats.md section 2). Five fields are required; of the others only those for
// `meta` and the permission summary are read, and a value of another type counts as absent.
import { z } from 'zod'
import { isStorable } from '../contract/storable.ts'
import { FormatError, refusalOf, STORABLE } from './format-error.ts'
import { assertMetaSize } from './item-text.ts'
import { isObject } from './permission-set.ts'
import { object, texts, writtenAs } from './shape.ts'
import { decodeUtf8, parseJson } from './text.ts'
import { isVersion, MAX_VERSION_CHARACTERS, VERSION_SHAPE } from './version.ts'

/** Name of the manifest within the archive. */
export const MANIFEST = 'automation.json'
/** Maximum inflated size in bytes. */
export const MAX_MANIFEST_BYTES = 1024 * 1024

const SCHEMA = 'monoagent.automation/v1'
const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/

const Site = object({ domains: texts({ stored: true }).optional() })

/** The parsed manifest, with all unknown fields of the file. */
export const Manifest = object({
  schema: z.literal(SCHEMA, `expected exactly ${SCHEMA}`),
  id: z.string(`expected a string that matches ${ID.source}`).regex(ID, `expected a string that matches ${ID.source}`),
  name: writtenAs(
    z
      .string('expected a string that is not blank')
      .refine((name) => name.trim() !== '', 'expected a string that is not blank')
      .refine(isStorable, STORABLE),
    { json: { type: 'string', pattern: '\\S' } },
  ),
  version: writtenAs(
    z.string('expected a semantic version').refine(isVersion, 'expected a semantic version, such as 1.0.0'),
    { json: { type: 'string', maxLength: MAX_VERSION_CHARACTERS, pattern: VERSION_SHAPE.source } },
  ),
  actions: texts({ stored: true }),
  site: writtenAs(
    z.preprocess((site) => (isObject(site) ? site : undefined), Site.optional()),
    { json: { properties: { domains: { type: 'array', items: { type: 'string' } } } } },
  ),
})
export type Manifest = z.output<typeof Manifest>

/** @throws FormatError that names the first offending field: `actions.2: expected a string` */
export function readManifest(bytes: Buffer): Manifest {
  const result = Manifest.safeParse(parseJson(decodeUtf8(bytes, MANIFEST), MANIFEST))
  if (result.success) return result.data
  const refusal = refusalOf(result.error)
  throw refusal.field === '' ? new FormatError('expected a JSON object', MANIFEST) : refusal
}

/**
 * `meta` of a library item of kind automation; the keys are those of formats.md section 2.
 *
 * @throws FormatError when a field that `meta` needs would not go into a database
 */
export function metaOf(manifest: Manifest) {
  const native = textAt(manifest, 'requires', 'native')
  const meta = {
    automation_id: manifest.id,
    publisher: textAt(manifest, 'publisher', 'name'),
    site_domains: manifest.site?.domains ?? [],
    actions: manifest.actions,
    requires_native: native !== null,
    policy_tier: textAt(manifest, 'policy', 'tier') ?? 'standard',
    native,
    engine: textAt(manifest, 'engine'),
  }
  assertMetaSize(meta)
  return meta
}

/** @throws FormatError when the description would not go into a database */
export function descriptionOf(manifest: Manifest): string {
  return textAt(manifest, 'description') ?? ''
}

/**
 * The permissions that an automation requests, for users to read before they install it. Elements of these lists that are not
 * strings are left out.
 */
export function permissionsOf(manifest: Manifest) {
  const permissions = isObject(manifest['permissions']) ? manifest['permissions'] : {}
  return {
    steps: storableTexts(permissions['steps']),
    scripts: storableTexts(permissions['scripts']),
    /** true for anything but an absent, false or null `permissions.downloads` */
    downloads: (permissions['downloads'] ?? false) !== false,
    domains: manifest.site?.domains ?? [],
  }
}

/** The string at a path of the manifest; null when it is absent, empty or something else. */
function textAt(manifest: Manifest, ...path: string[]): string | null {
  const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), manifest)
  if (typeof value !== 'string' || value === '') return null
  if (!isStorable(value)) throw new FormatError(STORABLE, path.join('.'))
  return value
}

function storableTexts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string' && isStorable(item)) : []
}
