// scan: what the scan of the server found in a version of an item, and what its owner says to it.
import type { ItemScan } from '../../client/src/derived/api.ts'
import type { CommandLine, Context } from './command.ts'
import { nameText } from './home.ts'
import { readItemVersion } from './item-of.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError } from './usage.ts'

const BAD: readonly ItemScan['verdict'][] = ['severe', 'unfinished']

/** Shows it, or answers it. Throws RefusedError after showing what is severe, so that scripts stop. */
export async function scan(context: Context, { words: [word = ''], values }: CommandLine): Promise<void> {
  const { find, version } = readItemVersion(word)
  const given = values['answer'] as string | undefined
  const text = given === '-' ? (await context.readInput()).trimEnd() : given
  const client = await (text === undefined ? context.client() : context.ownClient())
  const item = await find(client)
  const { id } = item
  const found = await client.library.scan({ id, ...(version !== undefined && { version }) })
  const shown = text === undefined ? found : await client.library.answerScan({ id, version: found.version, text })
  tell(context, `${nameText(item)} ${shown.version}`, shown)
  context.report({ name: nameText(item), ...shown })
  if (text === undefined && BAD.includes(shown.verdict))
    throw new RefusedError('suspicious', `The scan of ${nameText(item)} ${line(shown.version)}: ${shown.verdict}`)
}

function tell(context: Context, name: string, { verdict, findings, answer, warnings = [] }: ItemScan): void {
  context.say(bold(line(name)), '  ', BAD.includes(verdict) ? red(verdict) : verdict)
  for (const { rule, severity, path, line: at, reason } of findings) {
    const place = path === '' ? '' : ` ${line(path)}${at === null ? '' : `:${at}`}`
    context.say(severity === 'severe' ? red(severity) : severity, ` ${rule}${place}: ${line(reason)}`)
  }
  for (const { path, message } of warnings) context.say(`warning ${line(path)}: ${line(message)}`)
  if (answer) context.say(`the owner says: ${line(answer.text)}`)
}
