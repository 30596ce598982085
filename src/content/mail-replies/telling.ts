// Words of a reply that hold what only its account may see: the end of our mail, where a mail program marks it in a way that we do not know.

/** Of links, as programs that rewrite them write them: `https%3A%2F%2Fguild.example%2Funsubscribe%3Ftoken%3D`. */
const decoded = (text: string) =>
  text.replace(/%([2-7][\da-f])/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const ADDRESS = /(?:reply|bounce)(?:\+|=2b)[a-z2-7]{1,64}@([a-z\d.-]{1,253})/g

interface Private {
  account: { id: string; email: string }
  baseUrl: string
  replyDomain: string | undefined
}

/** Whether words hold the address of their account, a link of our mails that acts for it, or where a mail is answered. Lines may be broken anywhere. */
export function isTelling(words: string, { account, baseUrl, replyDomain = '' }: Private): boolean {
  const plain = decoded(decoded(words.toLowerCase().replace(/\s+/g, '')))
  // A token for unsubscribing has the id between two points.
  const secrets = [account.email.toLowerCase(), `.${account.id}.`, `${baseUrl.toLowerCase()}/unsubscribe?token=`]
  if (secrets.some((secret) => plain.includes(secret))) return true
  return [...plain.matchAll(ADDRESS)].some(([, domain = '']) => domain.startsWith(replyDomain))
}
