// A sign-in at the external provider that is under way. It is in a cookie of the browser that began it, sealed and for ten minutes: no row
// is written for an anonymous user, and no other browser can finish it.
import { cookieLine, cookieNamed } from '../../request/credentials.ts'
import type { Context } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { PendingSignIn } from './provider.ts'

const COOKIE = 'guildhall_external'
export const PENDING_SECONDS = 600

export interface BegunSignIn extends PendingSignIn {
  /** The page to open afterwards. */
  to: string
  /** The session that connects its account; otherwise it is a sign-in. */
  link?: { userId: string; session: string } | undefined
  until: string
}

const keyOf = ({ secretFor }: Pick<Context, 'secretFor'>) => secretFor('external sign-in')

export async function rememberPending(context: Context, begun: Omit<BegunSignIn, 'until'>): Promise<void> {
  const until = after(context.now, PENDING_SECONDS)
  const value = seal(await keyOf(context), JSON.stringify({ ...begun, until }))
  context.reply.append('Set-Cookie', cookieLine(context.config.baseUrl, COOKIE, { value, seconds: PENDING_SECONDS }))
}

/** What this browser began; the cookie is removed in any case. */
export async function takePending(context: Context): Promise<BegunSignIn | undefined> {
  const { config, cookie, reply, now } = context
  const value = cookie(cookieNamed(config.baseUrl, COOKIE))
  if (value === undefined) return undefined
  reply.append('Set-Cookie', cookieLine(config.baseUrl, COOKIE, { value: '', seconds: 0 }))
  try {
    const begun = parseJson<BegunSignIn>(unseal(await keyOf(context), value))
    return begun.until > now ? begun : undefined
  } catch {
    return undefined
  }
}
