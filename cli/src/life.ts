// yank and deprecate: what an owner says of versions and items that others should no longer take.
import type { CommandLine, Context, Values } from './command.ts'
import { nameText } from './home.ts'
import { isId, readItem, readItemVersion } from './item-of.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { UsageError } from './usage.ts'

const textOf = (values: Values, name: string) => (values[name] as string | undefined) ?? ''

export async function yank(context: Context, { words: [word = ''], values }: CommandLine): Promise<void> {
  const { find, version } = readItemVersion(word)
  if (version === undefined) throw new UsageError('Which version? Write kind/slug@version')
  const yanked = values['undo'] !== true
  const client = await context.ownClient()
  const item = await find(client)
  const reason = textOf(values, 'reason')
  const changed = await client.library.yank({ id: item.id, version, yanked, ...(reason !== '' && { reason }) })
  const what = yanked ? 'yanked: latest and ranges no longer mean it' : 'no longer yanked'
  context.say(bold(`${nameText(item)} ${line(changed.version)}`), ` is ${what}.`)
  context.report({ name: nameText(item), ...changed })
}

export async function deprecate(context: Context, { words: [word = ''], values }: CommandLine): Promise<void> {
  const find = readItem(word)
  const deprecated = values['undo'] !== true
  const [message, successor] = [textOf(values, 'message'), textOf(values, 'successor')]
  if (deprecated && message === '') throw new UsageError('--message says what to do instead')
  const client = await context.ownClient()
  const { id } = await find(client)
  const other = isId(successor) ? nameText(await readItem(successor)(client)) : successor
  const item = await client.library.deprecate({ id, deprecated, ...(deprecated && { message, successor: other }) })
  context.say(bold(nameText(item)), ` is ${deprecated ? 'deprecated' : 'no longer deprecated'}.`)
  context.report(item)
}
