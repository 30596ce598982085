// What a server that gives us a mail hears of a refusal, and how much it may give.
import { countTry, type Limit, networkOf } from '../../budgets/budgets.ts'
import { Problem } from '../../contract/problem.ts'
import { type Answer, LATER } from '../../mail/incoming/listener.ts'
import type { Dependencies } from '../../request/handler.ts'

/** A refusal as a mail server hears it: one line of ASCII (RFC 5321, 4.2). An error of the server is thrown. */
export function answerTo(error: unknown): Answer {
  if (!(error instanceof Problem)) throw error
  const { code, message, details } = error
  const isForLater = code === 'rate_limited' || code === 'unavailable' || code === 'internal'
  if (isForLater || details.retryAfterSeconds) return LATER
  const plain = message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300)
  return { code: 554, text: `5.7.1 ${plain}` }
}

/** Counts a mail; throws `rate_limited`. */
export async function count(
  { db, config }: Pick<Dependencies, 'db' | 'config'>,
  tried: Parameters<typeof countTry>[1],
): Promise<void> {
  if (config.rateLimits) await countTry(db, tried)
}

/** A server that forwards mail is a network: so only mails that prove nothing count for it. */
const OF_NETWORK: Limit = { tries: 600, windowSeconds: 3_600 }

/** Counts a mail that proves nothing; throws `rate_limited`. */
export const countNetwork = (
  dependencies: Pick<Dependencies, 'db' | 'config'>,
  { address, now }: { address: string; now: string },
) => count(dependencies, { key: `mail network ${networkOf(address)}`, limit: OF_NETWORK, now })
