// Services that the server asks: the provider of accounts, and those of the operator that read what members write.
import type { z } from 'zod'
import { hostWithPort, isLoopback } from '../runtime/addresses.ts'
import type { settings } from './settings.ts'

type Values = z.output<typeof settings>

/** Undefined where accounts of no other server sign in here. */
export const providerIn = ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, ...values }: Values) =>
  issuer === undefined || clientId === undefined
    ? undefined
    : {
        ...{ issuer, clientId, clientSecret: values.OIDC_CLIENT_SECRET, name: values.OIDC_NAME },
        /** Imports whose people are accounts there, and the claim with the id that they are known by. */
        ...{ imports: values.OIDC_IMPORTS, idClaim: values.OIDC_ID_CLAIM },
      }

/** Services of the operator that read what members write. */
export const machinesOf = ({ AI_URL, AI_MODEL, ...values }: Values) => ({
  classifier: classifierIn(values),
  /** Undefined where members can ask no machine. */
  ai:
    AI_URL === undefined || AI_MODEL === undefined
      ? undefined
      : {
          ...{ url: AI_URL, model: AI_MODEL, key: values.AI_KEY, dailyTokens: values.AI_DAILY_TOKENS },
          embeddings: embeddingsIn(AI_URL, values.AI_EMBEDDINGS_MODEL),
        },
  /** Hosts with their ports that are reached though they are private. */
  privateServices: values.PRIVATE_SERVICES,
})

/** What mail is taken. */
export const repliesOf = (values: Values) => ({
  /** Undefined where mails cannot be answered. */
  replyDomain: values.REPLY_DOMAIN,
  smtpListen: values.SMTP_LISTEN,
  /** Undefined where no mailbox is read. */
  replyMailbox: values.REPLY_IMAP_URL,
  /** Undefined where the server checks who sent a mail. */
  trustedAuthserv: values.TRUSTED_AUTHSERV,
})

const COMPLETIONS = /\/chat\/completions(?=\?|$)/

/** What things mean is asked beside chat completions; undefined where it is not. */
const embeddingsIn = (url: string, model: string | undefined) =>
  model === undefined ? undefined : { url: url.replace(COMPLETIONS, '/embeddings'), model }

/** Undefined where nothing is classified. */
const classifierIn = ({ CLASSIFIER_URL: url, CLASSIFIER_SECRET: secret }: Partial<Values>) =>
  url === undefined || secret === undefined ? undefined : { url, secret }

/** Settings of services that are valid alone and invalid together. */
export const contradictionsOfServices = (values: Values): string[] => [
  ...contradictionsOfProvider(values),
  ...contradictionsOfMachines(values),
  ...contradictionsOfReplies(values),
]

function contradictionsOfReplies({ SMTP_LISTEN, REPLY_IMAP_URL, REPLY_DOMAIN, TRUSTED_AUTHSERV }: Values): string[] {
  return [
    SMTP_LISTEN !== undefined &&
      REPLY_DOMAIN === undefined &&
      'SMTP_LISTEN is set, but REPLY_DOMAIN is not; set both, or remove the first.',
    REPLY_IMAP_URL !== undefined &&
      (REPLY_DOMAIN === undefined || TRUSTED_AUTHSERV === undefined) &&
      'REPLY_IMAP_URL needs REPLY_DOMAIN, and TRUSTED_AUTHSERV: a mail in a mailbox no longer says which server sent it.',
  ].filter((sentence) => typeof sentence === 'string')
}

function contradictionsOfProvider({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId }: Values): string[] {
  const { protocol, hostname } = new URL(issuer ?? 'https://none')
  return [
    (issuer === undefined) !== (clientId === undefined) &&
      'OIDC_ISSUER and OIDC_CLIENT_ID belong together; set both, or neither.',
    protocol === 'http:' &&
      !isLoopback(hostname) &&
      `OIDC_ISSUER is ${issuer}; use https, because accounts are signed in to by what it says.`,
  ].filter((sentence) => typeof sentence === 'string')
}

function contradictionsOfMachines({ PRIVATE_SERVICES: named, ...values }: Values): string[] {
  const { CLASSIFIER_URL, CLASSIFIER_SECRET, AI_URL, AI_MODEL, AI_EMBEDDINGS_MODEL } = values
  return [
    (CLASSIFIER_URL === undefined) !== (CLASSIFIER_SECRET === undefined) &&
      'CLASSIFIER_URL and CLASSIFIER_SECRET belong together; set both, or neither.',
    (AI_URL === undefined) !== (AI_MODEL === undefined) && 'AI_URL and AI_MODEL belong together; set both, or neither.',
    AI_EMBEDDINGS_MODEL !== undefined &&
      !COMPLETIONS.test(AI_URL ?? '') &&
      'AI_EMBEDDINGS_MODEL needs an AI_URL that ends in /chat/completions: embeddings are beside it.',
    ...Object.entries({ CLASSIFIER_URL, AI_URL }).map(
      ([name, url]) =>
        url?.startsWith('http:') &&
        !named.includes(hostWithPort(new URL(url))) &&
        `${name} is ${url}; use https, or name its host and port in PRIVATE_SERVICES.`,
    ),
  ].filter((sentence) => typeof sentence === 'string')
}
