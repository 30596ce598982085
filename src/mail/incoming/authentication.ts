// Whether a mail is from whom it says, by DMARC (RFC 7489): as a server of the operator says it, or as we find it ourselves.
import { Resolver } from 'node:dns/promises'
import type { DNSResolver } from 'mailauth'
import { bareOf, type Head } from './head.ts'
import type { TakenMail } from './reading.ts'

/** `none` where the domain says nothing of it; `later` where that cannot be found now. */
export type Authenticity = 'pass' | 'fail' | 'none' | 'later'

export type { DNSResolver }

/** More are of no use to DMARC, and each takes a key from the DNS and a hash of the mail. */
export const MAX_SIGNATURES = 10
const DNS_MILLISECONDS = 3_000
const DNS_TRIES = 2
/** For all questions of a mail. */
const LONGEST_MILLISECONDS = 20_000

const VERDICTS: Readonly<Record<string, Authenticity>> = {
  pass: 'pass',
  none: 'none',
  fail: 'fail',
  permerror: 'fail',
  temperror: 'later',
}

const domainOf = (address: string | undefined) => address?.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** `mx.guild.example 1; dmarc=pass` is of `mx.guild.example`. */
const authservOf = (value: string) =>
  /^\s*"?([^\s;"]+)/.exec(value.startsWith('"') ? value : (bareOf(value) ?? ''))?.[1]

const DMARC = /^\s*dmarc\s*(?:\/\s*\d{1,9}\s*)?=\s*([a-z]{1,20})\b/
const LOOKED_AT = /\bheader\s*\.\s*from\s*=\s*([^\s"]+)/

/** What a header says of DMARC; a word for what is not known of is none of `VERDICTS`. */
function verdictsIn(value: string, domain: string): Authenticity[] {
  const results = bareOf(value)?.split(';').slice(1) ?? []
  return results.flatMap((result): Authenticity[] => {
    const verdict = VERDICTS[DMARC.exec(result)?.[1] ?? '']
    if (verdict === undefined) return []
    const at = domainOf(LOOKED_AT.exec(result)?.[1])
    // Some servers name the domain above it that has the record.
    const isOther = at !== undefined && at !== domain && !(at.includes('.') && domain.endsWith(`.${at}`))
    return [isOther ? 'fail' : verdict]
  })
}

/** What the topmost header of the named server says (RFC 8601), and no other of it denies; `missing` where that is nothing. */
export function saidBy({ header, from }: Pick<Head, 'header' | 'from'>, authserv: string): Authenticity | 'missing' {
  const own = header('authentication-results')
    .map((value) => value.toLowerCase())
    .filter((value) => authservOf(value) === authserv)
  const [topmost = [], ...others] = own.map((value) => verdictsIn(value, domainOf(from) ?? ''))
  if ([topmost, ...others].some((verdicts) => verdicts.includes('fail'))) return 'fail'
  if (topmost.includes('later')) return 'later'
  if (topmost.includes('none')) return 'none'
  return topmost.includes('pass') ? 'pass' : 'missing'
}

function resolverOf(): DNSResolver {
  const dns = new Resolver({ timeout: DNS_MILLISECONDS, tries: DNS_TRIES })
  return async (name, type) => (await dns.resolve(name, type)) as string[]
}

/** What DKIM, SPF and DMARC say of a mail whose author was read. Where DMARC reads another author, or several, it fails. */
export async function authenticityOf(
  { bytes, sender, address, helo, from }: TakenMail & Pick<Head, 'from'>,
  resolver: DNSResolver = resolverOf(),
): Promise<Authenticity> {
  const { authenticate } = await import('mailauth')
  const late = Promise.withResolvers<'later'>()
  const timer = setTimeout(() => late.resolve('later'), LONGEST_MILLISECONDS)
  const asked = { ip: address, helo, sender, resolver, disableArc: true, disableBimi: true }
  const found = authenticate(bytes, asked).then(({ dmarc }): Authenticity => {
    if (!dmarc || dmarc.status.header?.from !== domainOf(from)) return 'fail'
    return VERDICTS[dmarc.status.result] ?? 'fail'
  })
  return Promise.race([found, late.promise]).finally(() => clearTimeout(timer))
}
