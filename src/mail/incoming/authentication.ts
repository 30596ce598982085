// Whether a mail is from whom it says, by DMARC (RFC 7489): as a server of the operator says it, or as we find it ourselves.
import { Resolver } from 'node:dns/promises'
import type { DNSResolver } from 'mailauth'
import type { ReadMail, TakenMail } from './reading.ts'

/** `none` where the domain says nothing of it; `later` where that cannot be found now. */
export type Authenticity = 'pass' | 'fail' | 'none' | 'later'

export type { DNSResolver }

const DNS_MILLISECONDS = 3_000
const DNS_TRIES = 2
/** For all questions of a mail. */
const LONGEST_MILLISECONDS = 20_000

const VERDICTS: Readonly<Record<string, Authenticity>> = {
  pass: 'pass',
  fail: 'fail',
  temperror: 'later',
  permerror: 'fail',
}

/** What the topmost header of the named server says (RFC 8601); `none` without one. */
export function saidBy(mail: Pick<ReadMail, 'header'>, authserv: string): Authenticity {
  const results = mail.header('authentication-results').map((value) => value.toLowerCase())
  const own = results.find((value) => /^\s*"?([^\s;"]+)/.exec(value)?.[1] === authserv)
  const verdict = own && /;\s{0,20}dmarc\s{0,5}=\s{0,5}([a-z]{1,20})/.exec(own)?.[1]
  return verdict === undefined ? 'none' : (VERDICTS[verdict] ?? 'none')
}

function resolverOf(): DNSResolver {
  const dns = new Resolver({ timeout: DNS_MILLISECONDS, tries: DNS_TRIES })
  return async (name, type) => (await dns.resolve(name, type)) as string[]
}

/** What DKIM, SPF and DMARC say of a mail. */
export async function authenticityOf(
  { bytes, sender, address, helo }: TakenMail,
  resolver: DNSResolver = resolverOf(),
): Promise<Authenticity> {
  const { authenticate } = await import('mailauth')
  const late = Promise.withResolvers<'later'>()
  const timer = setTimeout(() => late.resolve('later'), LONGEST_MILLISECONDS)
  const asked = { ip: address, helo, sender, resolver, disableArc: true, disableBimi: true }
  const found = authenticate(bytes, asked).then(({ dmarc }): Authenticity => {
    const result = dmarc ? dmarc.status.result : 'none'
    return VERDICTS[result] ?? 'none'
  })
  return Promise.race([found, late.promise]).finally(() => clearTimeout(timer))
}
