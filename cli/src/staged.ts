// staged: versions of an item that wait until one of its people agrees, and where that is done.
import type { CommandLine, Context } from './command.ts'
import { readItem } from './item-of.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { UsageError } from './usage.ts'

async function list(context: Context, text: string): Promise<void> {
  const find = readItem(text)
  const client = await context.ownClient()
  const { id: item } = await find(client)
  const { items } = await client.pendingActs.list({ item, state: 'waiting' })
  for (const { id, clientName, clientId, createdAt, expiresAt, href } of items)
    context.say(bold(id), `  by ${line(clientName ?? clientId)} on ${createdAt}, until ${expiresAt}: ${line(href)}`)
  if (items.length === 0) context.say('Nothing is waiting.')
  context.report(items)
}

async function approveUrl(context: Context, id: string): Promise<void> {
  const { href, state } = await (await context.ownClient()).pendingActs.get({ id })
  context.say(line(href))
  if (state !== 'waiting') context.show(`It does not wait: it is ${state}`)
  context.report({ id, url: href, state })
}

export async function staged(context: Context, { words: [verb, word = ''] }: CommandLine): Promise<void> {
  if (verb === 'list') return list(context, word)
  if (verb === 'approve-url') return approveUrl(context, word)
  throw new UsageError('Write staged list KIND/SLUG or staged approve-url ID')
}
