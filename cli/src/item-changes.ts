// rename, visibility, unpublish: what an owner changes of an item as a whole.
import { isVersion } from '../../src/formats/version.ts'
import type { CommandLine, Context, Values } from './command.ts'
import { confirm } from './consent.ts'
import { nameText, readName } from './home.ts'
import { readItem, readItemVersion } from './item-of.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

/** Gives an item another slug. */
export async function rename(context: Context, { words: [word = '', to = ''] }: CommandLine): Promise<void> {
  const find = readItem(word)
  const name = readName(to)
  if (!name && to.includes('/')) throw new UsageError(`${to} is no name: write the new slug`)
  const client = await context.ownClient()
  const item = await find(client)
  if (name && name.kind !== item.kind) throw new UsageError(`${nameText(item)} stays of the kind ${item.kind}`)
  const renamed = await client.library.rename({ id: item.id, slug: name ? name.slug : to })
  context.say(nameText(item), ' is ', bold(nameText(renamed)), ' now; its former names lead to it.')
  context.report(renamed)
}

const visibilities = ['private', 'public', 'official'] as const

/** Says who sees an item, or decides it. */
export async function visibility(context: Context, { words: [word = '', asked], values }: CommandLine): Promise<void> {
  const find = readItem(word)
  const wanted = visibilities.find((one) => one === asked)
  if (asked !== undefined && wanted === undefined) throw new UsageError('An item is private, public or official')
  const reason = values['reason'] as string | undefined
  if (wanted === undefined && reason !== undefined) throw new UsageError('Write private, public or official')
  const client = await (wanted === undefined ? context.client() : context.ownClient())
  const found = await find(client)
  const item =
    wanted === undefined
      ? found
      : await client.library.update({ id: found.id, visibility: wanted, ...(reason !== undefined && { reason }) })
  context.say(bold(nameText(item)), ` is ${item.visibility}.`)
  context.report(item)
}

/** Deletes an item, or one version of it, after a yes. */
export async function unpublish(context: Context, { words: [word = ''], values }: CommandLine): Promise<void> {
  const { find, version } = readItemVersion(word)
  if (version !== undefined && !isVersion(version))
    throw new UsageError(`${version} is no version: unpublish takes an exact one`)
  const client = await context.ownClient()
  const item = await find(client)
  const name = nameText(item)
  const what = version === undefined ? `${name} with all its versions, votes and comments` : `${name} ${version}`
  await agree(context, what, values)
  const reason = values['reason'] as string | undefined
  const one = { id: item.id, ...(reason !== undefined && { reason }) }
  const deleted = await (version === undefined
    ? client.library.delete(one)
    : client.library.deleteVersion({ ...one, version }))
  context.say('Deleted ', bold(line(version === undefined ? name : `${name} ${version}`)), '.')
  context.report({ name, ...deleted })
}

/** It cannot be taken back: without a terminal only --yes agrees. */
async function agree(context: Context, what: string, values: Values): Promise<void> {
  if (values['yes'] === true) return
  if (!context.isInteractive)
    throw new RefusedError('confirm', `Nothing was deleted. --yes deletes ${what} for ever; yank takes a version back`)
  if (!(await confirm(context, `Delete ${what} for ever?`))) throw new RefusedError('declined', 'Nothing was deleted')
}
