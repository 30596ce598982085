// Settings that admins change while the server runs (behaviour.md, section 3). No answer has a secret.
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { EXAMPLE_ID, Id, pageEnd, pageInput, Timestamp, text, textLike, UsernameOrNull } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { settingActions } from '../../settings/audit-actions.ts'

const MAX_VALUE = 200_000

const Name = textLike('SIGN_UP')
const Text = textLike('invited').nullable()

const Setting = z
  .object({
    name: Name,
    section: textLike('sign-up'),
    input: z.enum(['text', 'lines', 'list', 'number', 'colour', 'choice']).meta({ example: 'choice' }),
    choices: z.array(textLike('invited')).meta({ description: 'Of a choice; of a list all that may be in it' }),
    description: textLike('who may make an account').meta({ description: 'In Markdown' }),
    value: Text.meta({ description: 'null for none, and for a secret' }),
    default: textLike('open').nullable(),
    source: z
      .enum(['environment', 'stored', 'default'])
      .meta({ example: 'stored', description: 'The environment of the server wins: then it cannot be changed here' }),
    isSecret: z.boolean().meta({ example: false }),
    isSet: z.boolean().meta({ example: true }),
    changedBy: UsernameOrNull.meta({ description: 'null for the operator at the command line, too' }),
    changedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Setting' })

const Version = z.int().meta({ example: 7, description: 'Of all settings: the number of the newest change' })

const Changes = z
  .object({ version: Version, changes: z.array(z.object({ name: Name, before: Text, after: Text })) })
  .meta({ id: 'ChangedSettings' })

const SettingChange = z
  .object({
    id: Id,
    name: Name,
    before: Text.meta({ description: 'What was stored; null for the default, and for a secret' }),
    after: Text,
    isSecret: z.boolean().meta({ example: false }),
    changedBy: UsernameOrNull,
    changedAt: Timestamp,
  })
  .meta({ id: 'SettingChange' })

export const settings = {
  list: {
    summary: 'The settings that may change while the server runs',
    synonyms: ['configuration', 'instance settings', 'admin settings'],
    method: 'GET',
    path: '/community/admin/settings',
    access: inspect,
    input: z.object({}),
    output: z.object({ version: Version, items: z.array(Setting) }),
  },
  change: {
    summary: 'Change settings: all of them or none',
    synonyms: ['configure instance', 'set setting', 'rename instance'],
    description:
      'They hold in every process within a second. null is the default. A dry run is a preview. With `version`, changes that the caller has not seen are a 409, as is a setting that the environment of the server sets.',
    method: 'PATCH',
    kind: 'moderation',
    path: '/community/admin/settings',
    access: administer,
    audit: [settingActions.change],
    input: z.object({
      changes: z
        .record(text(1, 60), text(0, MAX_VALUE).nullable())
        .meta({ example: { SIGN_UP: 'invited' }, description: 'Texts by the names of settings' }),
      version: Version.optional(),
    }),
    output: Changes,
    problems: ['conflict'],
  },
  listChanges: {
    summary: 'Changes of settings, newest first',
    method: 'GET',
    path: '/community/admin/settings/changes',
    access: inspect,
    input: z.object(pageInput),
    output: z.object({ items: z.array(SettingChange), ...pageEnd }),
  },
  undoChange: {
    summary: 'Undo a change of a setting',
    description: 'It has the value from before again. If it was changed since: 409.',
    method: 'POST',
    kind: 'moderation',
    path: '/community/admin/settings/changes/{id}/undo',
    access: administer,
    audit: [settingActions.change],
    input: z.object({ id: Id.meta({ example: EXAMPLE_ID }) }),
    output: Changes,
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
