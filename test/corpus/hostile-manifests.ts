// Sound archives with a manifest that is missing, not JSON, or not what the table of formats.md section 2 asks for.
import { type HostileArchive, manifestEntry, refused } from './archive-parts.ts'
import { manifestOf } from './sound-archives.ts'
import { zip } from './zip-writer.ts'

const data = (name: string, reason: RegExp, content: string | Buffer) =>
  refused(`a manifest ${name}`, reason, () => zip([{ name: 'automation.json', data: content }]))

const fields = (name: string, reason: RegExp, changes: object) =>
  refused(`a manifest with ${name}`, reason, () => zip([manifestEntry(changes)]))

export const hostileManifests: HostileArchive[] = [
  refused('no manifest', /automation\.json: expected at the root/, () => zip([{ name: 'README.md', data: '# Hi' }])),
  refused('a manifest in a folder', /automation\.json: expected at the root/, () =>
    zip([{ ...manifestEntry(), name: 'harbor-board/automation.json' }]),
  ),
  refused('a manifest over 1 MiB', /automation\.json: expected at most 1 MiB/, () =>
    zip([manifestOf(1024 * 1024 + 1)]),
  ),
  data('of no bytes', /automation\.json: expected JSON/, ''),
  data('that is not JSON', /automation\.json: expected JSON/, '{"schema":'),
  data('that is not UTF-8', /automation\.json: expected text in UTF-8/, Buffer.from([0x22, 0xff, 0x22])),
  data('with a byte order mark', /without a byte order mark/, '\ufeff{}'),
  data('that is an array', /automation\.json: expected a JSON object/, '[]'),
  data('that is null', /automation\.json: expected a JSON object/, 'null'),
  data('of a million brackets', /automation\.json: expected a JSON object/, '['.repeat(500_000) + ']'.repeat(500_000)),
  data(
    'whose fields hide in __proto__',
    /^schema: expected exactly/,
    '{"__proto__":{"schema":"monoagent.automation/v1"}}',
  ),
  fields('another schema', /^schema: expected exactly monoagent/, { schema: 'monoagent.automation/v2' }),
  fields('no id', /^id: expected a string that matches/, { id: undefined }),
  fields('an id in capitals', /^id: expected/, { id: 'Harbor' }),
  fields('an id that starts with a dot', /^id: expected/, { id: '.harbor' }),
  fields('an id of 65 characters', /^id: expected/, { id: 'a'.repeat(65) }),
  fields('an id with a line end', /^id: expected/, { id: 'harbor\n' }),
  fields('a blank name', /^name: expected a string that is not blank/, { name: ' \t' }),
  fields('a name with NUL', /^name: expected well-formed Unicode/, { name: 'a\0' }),
  fields('a name with half a surrogate pair', /^name: expected well-formed Unicode/, { name: 'a\ud800' }),
  fields('no version', /^version: expected a semantic version/, { version: undefined }),
  fields('a version of two numbers', /^version: expected/, { version: '1.0' }),
  fields('a version with v', /^version: expected/, { version: 'v1.0.0' }),
  fields('a version with a leading zero', /^version: expected/, { version: '1.02.0' }),
  fields('no actions', /^actions: expected an array/, { actions: undefined }),
  fields('actions null', /^actions: expected an array/, { actions: null }),
  fields('an action that is a number', /^actions\.1: expected a string/, { actions: ['a', 1] }),
  fields('domains that are text', /^site\.domains: expected an array/, { site: { domains: 'berths.example' } }),
  fields('a domain that is null', /^site\.domains\.0: expected a string/, { site: { domains: [null] } }),
  fields('a publisher with NUL', /^publisher\.name: expected well-formed/, { publisher: { name: '\0' } }),
  fields('a mebibyte of actions', /KiB of names/, {
    actions: Array.from({ length: 90_000 }, (_, index) => `a${index}`),
  }),
]
