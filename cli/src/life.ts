// yank and deprecate: what an owner says of versions and items that others should no longer take.
import type { Context, Values } from './command.ts'
import { nameText, readName, readSpec } from './home.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { UsageError } from './usage.ts'

interface Given {
  words: string[]
  values: Values
}

const textOf = (values: Values, name: string) => (values[name] as string | undefined) ?? ''

export async function yank(context: Context, { words: [word = ''], values }: Given): Promise<void> {
  const { kind, slug, range: version } = readSpec(word)
  if (!word.includes('@')) throw new UsageError('Which version? Write kind/slug@version')
  const yanked = values['undo'] !== true
  const { library } = await context.ownClient()
  const { id } = await library.find({ kind, slug })
  const reason = textOf(values, 'reason')
  const changed = await library.yank({ id, version, yanked, ...(reason !== '' && { reason }) })
  const what = yanked ? 'yanked: latest and ranges no longer mean it' : 'no longer yanked'
  context.say(bold(`${nameText({ kind, slug })} ${line(changed.version)}`), ` is ${what}.`)
  context.report({ name: nameText({ kind, slug }), ...changed })
}

export async function deprecate(context: Context, { words: [word = ''], values }: Given): Promise<void> {
  const name = readName(word)
  if (!name) throw new UsageError(`${word} names no item: write kind/slug`)
  const deprecated = values['undo'] !== true
  const [message, successor] = [textOf(values, 'message'), textOf(values, 'successor')]
  if (deprecated && message === '') throw new UsageError('--message says what to do instead')
  const { library } = await context.ownClient()
  const { id } = await library.find({ ...name })
  const item = await library.deprecate({ id, deprecated, ...(deprecated && { message, successor }) })
  context.say(bold(nameText(name)), ` is ${deprecated ? 'deprecated' : 'no longer deprecated'}.`)
  context.report(item)
}
