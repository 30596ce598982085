// What a person agrees to: permissions by --allow or an answer, and the loss of what was changed by hand by --force or an answer.
import { permissionTypes } from '../../src/formats/permission-set.ts'
import { covers, type Permission } from '../../src/formats/permissions.ts'
import type { Context, Values } from './command.ts'
import { bold, red, type Words } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

/** `type:name`, as the lock file and --allow have it. */
export const permissionText = ({ type, name }: Permission): string => `${type}:${name}`

export function readPermission(text: string): Permission {
  const at = text.indexOf(':')
  return { type: text.slice(0, at) as Permission['type'], name: text.slice(at + 1) }
}

/** A permission that is allowed; all of its type without a name. */
type Allowed = Pick<Permission, 'type'> & { name?: string }

/** The permissions of --allow: with commas between them, `\,` for a comma in a name. */
export function readAllowed(texts: readonly string[]): Allowed[] {
  const words = texts.flatMap((text) => text.match(/(?:\\[\s\S]|[^,\\])+/g) ?? [])
  return words.map((word) => {
    const [, type = '', name] = word.trim().match(/^([a-z]+)(?::([\s\S]+))?$/) ?? []
    const known = permissionTypes.find((one) => one === type)
    if (known === undefined) {
      throw new UsageError(
        `--allow takes types (${permissionTypes.join(', ')}), with a name or without: site:example.com,script`,
      )
    }
    return { type: known, ...(name !== undefined && { name: name.replace(/\\([\s\S])/g, '$1') }) }
  })
}

export interface Consent {
  allowed: Allowed[]
  /** Yes to every question but those of permissions and of files that were changed by hand. */
  isYes: boolean
  isForced: boolean
  /** Also versions that their server proves in no way. */
  isUnproven: boolean
}

export const consentOf = (values: Values): Consent => ({
  allowed: readAllowed((values['allow'] as string[] | undefined) ?? []),
  isYes: values['yes'] === true,
  isForced: values['force'] === true,
  isUnproven: values['unproven'] === true,
})

/** Whether the person answers with yes. */
export async function confirm(context: Context, question: string): Promise<boolean> {
  context.progress('')
  return /^y(es)?$/i.test((await context.ask(`${line(question)} [y/N] `)).trim())
}

/** A version that may do more than the one before. */
export interface Growth {
  name: string
  from: string
  to: string
  added: Permission[]
}

/** Asks for permissions that are not allowed yet. Throws RefusedError unless the person says yes to all. */
export async function allowGrowth(context: Context, consent: Consent, growths: readonly Growth[]): Promise<void> {
  const isAllowed = (one: Permission) =>
    consent.allowed.some(({ type, name }) => type === one.type && (name === undefined || covers({ type, name }, one)))
  const open = growths
    .map((growth) => ({ ...growth, added: growth.added.filter((one) => !isAllowed(one)) }))
    .filter(({ added }) => added.length > 0)
  if (open.length === 0) return
  for (const growth of open) for (const words of growthLines(growth)) context.show(...words)
  if (context.isInteractive) {
    if (await confirm(context, 'Allow all of this?')) return
    throw new RefusedError('permissions', 'Nothing was changed')
  }
  throw new RefusedError(
    'permissions',
    `Nothing was changed. To say yes, run it again with --allow ${allowArgument(open.flatMap(({ added }) => added))}`,
    open.map(({ added, ...rest }) => ({ ...rest, added: added.map(permissionText) })),
  )
}

function growthLines({ name, from, to, added }: Growth): Words[][] {
  const lines = added.map(({ type, name: what }) => [red(`  + ${type}: ${line(what)}`)])
  return [[bold(`${name} ${line(to)}`), ` may do more than ${line(from)}:`], ...lines]
}

/** What follows --allow, as a shell takes it. */
export function allowArgument(permissions: readonly Permission[]): string {
  const texts = new Set(permissions.map((one) => permissionText(one).replace(/[,\\]/g, '\\$&')))
  const argument = [...texts].join(',')
  return /^[\w:.,@/-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

/** Asks before versions are installed of which there is neither a proof nor a signed statement. */
export async function allowUnproven(
  context: Context,
  consent: Consent,
  unproven: readonly { name: string; version: string; server: string }[],
): Promise<void> {
  if (unproven.length === 0 || consent.isUnproven) return
  for (const { name, version, server } of unproven)
    context.show(`${line(server)} has no proof of ${name} ${line(version)}, and no signed statement`)
  if (context.isInteractive && (await confirm(context, 'Install without a proof?'))) return
  throw new RefusedError(
    'unproven',
    'Nothing was changed. --unproven installs what its server does not prove',
    unproven,
  )
}

/** Asks before files that were changed by hand are lost. */
export async function allowLoss(
  context: Context,
  consent: Pick<Consent, 'isForced'>,
  changed: readonly string[],
): Promise<void> {
  if (changed.length === 0 || consent.isForced) return
  for (const path of changed) context.show(`${line(path)} has another content than guildhall.lock says`)
  if (context.isInteractive && (await confirm(context, 'It was changed by hand, or the lock was. Lose these changes?')))
    return
  throw new RefusedError('changed', 'Nothing was changed. --force replaces files that were changed by hand', changed)
}
