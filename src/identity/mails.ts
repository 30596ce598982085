// Texts of the mails about an account: our own words first, then the next step.
import type { Role } from '../contract/operation.ts'
import { scopeNames } from '../contract/scopes.ts'
import { scopeWords } from '../language/scope-words.ts'
import { inQuotes, type Letter, letter, type MailWords, quotedLines } from '../mail/words.ts'
import type { EmailCode } from './code-queries.ts'

export const codeLetter = (purpose: EmailCode['purpose'], code: string): Letter =>
  letter((t) => ({
    subject: t(`mails.code.${purpose}.subject`),
    body: t('mails.code.body', { lead: t(`mails.code.${purpose}.lead`), code }),
  }))

/** What a scope allows, as the consent page says it: a line for each. */
const allowed = (t: MailWords, scope: string) =>
  scopeNames(scope)
    .map((name) => `- ${scopeWords(t, name)}`)
    .join('\n')

/** With a code for an app. Begins with our own words; the name of the app is quoted on a separate line. */
export const claimLetter = (code: string, name: string, scope: string): Letter =>
  letter((t) => ({
    subject: t('mails.claim.subject'),
    body: t('mails.claim.body', { code, name: inQuotes(name), allowed: allowed(t, scope) }),
  }))

const notYou = (t: MailWords, baseUrl: string) => t('mails.notYou', { baseUrl })

/** After a new password. */
export const passwordMail = (baseUrl: string): Letter =>
  letter((t) => ({
    subject: t('mails.password.subject'),
    body: t('mails.password.body', { baseUrl, notYou: notYou(t, baseUrl) }),
  }))

/** After a new passkey. */
export const passkeyMail = (baseUrl: string): Letter =>
  letter((t) => ({ subject: t('mails.passkey.subject'), body: t('mails.passkey.body', { baseUrl }) }))

/** To an address that an admin invites. A code that is mailed proves the mailbox there; this mail opens nothing. */
export const invitationMail = (baseUrl: string, expiresAt: string): Letter =>
  letter((t) => ({
    subject: t('mails.invitation.subject'),
    body: t('mails.invitation.body', { baseUrl, day: t.day(expiresAt) }),
  }))

/** After a new personal access token. */
export const personalTokenMail = (
  baseUrl: string,
  { name, scope, expiresAt }: { name: string; scope: string; expiresAt: string },
): Letter =>
  letter((t) => ({
    subject: t('mails.token.subject'),
    body: t('mails.token.body', { baseUrl, name: inQuotes(name), allowed: allowed(t, scope), day: t.day(expiresAt) }),
  }))

/** After a program signed in with its workload identity. */
export const workloadMail = (
  baseUrl: string,
  { name, subject, ...given }: { name: string; issuer: string; subject: string; scope: string },
): Letter =>
  letter((t) => ({
    subject: t('mails.workload.subject'),
    body: t('mails.workload.body', {
      ...{
        baseUrl,
        name: inQuotes(name),
        subject: inQuotes(subject),
        issuer: given.issuer,
        allowed: allowed(t, given.scope),
      },
    }),
  }))

/** After an account of the external provider was connected. */
export const externalMail = (baseUrl: string, name: string): Letter =>
  letter((t) => ({ subject: t('mails.external.subject'), body: t('mails.external.body', { baseUrl, name }) }))

/** After another role. */
export const roleMail = (baseUrl: string, { from, to }: { from: Role; to: Role }): Letter =>
  letter((t) => ({
    subject: t('mails.role.subject'),
    body: t('mails.role.body', { baseUrl, from: t(`mails.role.${from}`), to: t(`mails.role.${to}`) }),
  }))

interface Browser {
  device: string | null
  address: string
  now: string
}

/** After a sign-in from a browser that had not signed in to the account before. */
export const browserMail = (baseUrl: string, { device, address, now }: Browser): Letter =>
  letter((t) => ({
    subject: t('mails.browser.subject'),
    body: t('mails.browser.body', {
      ...{ baseUrl, address, device: device ?? t('mails.browser.unknown') },
      ...{ time: t.exact(now), notYou: notYou(t, baseUrl) },
    }),
  }))

/** The credentials of an account from before its owner first verified the mailbox. */
export interface WaysIn {
  password: boolean
  passkeys: number
  /** Accounts of an external provider that could sign in to it. */
  external: number
  /** Those that a workload identity lets in. */
  programs: number
  sessions: number
  apps: number
}

/** The same, with what acts by itself. */
export interface RemovedCredentials extends WaysIn {
  webhooks: number
  /** With which it signed what it published. */
  keys: number
}

/** After a mailed code was first used on an account with an unverified address. */
export const takeOverMail = (baseUrl: string, { password, ...counts }: RemovedCredentials): Letter =>
  letter((t) => {
    const counted = (['passkeys', 'external', 'programs', 'sessions', 'apps', 'webhooks', 'keys'] as const).flatMap(
      (what) => (counts[what] > 0 ? [t(`mails.takeOver.${what}`, { count: counts[what] })] : []),
    )
    const removed = [...(password ? [t('mails.takeOver.password')] : []), ...counted, t('mails.takeOver.codes')]
    return {
      subject: t('mails.takeOver.subject'),
      body: t('mails.takeOver.body', { baseUrl, removed: removed.map((what) => `- ${what}`).join('\n') }),
    }
  })

interface GrantUse {
  /** What the app calls itself. */
  name: string
  network: string
  device: string | null
  now: string
}

const seenAt = (t: MailWords, { name, network, device, now }: GrantUse) =>
  t('mails.seen', { name: inQuotes(name), network, device: device ?? t('mails.aProgram'), time: t.exact(now) })

/** After a token of an app was used that was used already: its access has ended. */
export const reuseMail = (baseUrl: string, seen: GrantUse): Letter =>
  letter((t) => ({
    subject: t('mails.reuse.subject'),
    body: t('mails.reuse.body', { baseUrl, seen: seenAt(t, seen) }),
  }))

/** After an app that was quiet came back from elsewhere. */
export const newNetworkMail = (baseUrl: string, seen: GrantUse): Letter =>
  letter((t) => ({
    subject: t('mails.newNetwork.subject'),
    body: t('mails.newNetwork.body', { baseUrl, seen: seenAt(t, seen) }),
  }))

/** After the operator removed every credential. */
export const resetMail = (baseUrl: string): Letter =>
  letter((t) => ({ subject: t('mails.reset.subject'), body: t('mails.reset.body', { baseUrl }) }))

interface Change {
  from: string
  to: string
}

/** To the old address; with the link only where it had been verified. */
export const movedAwayMail = (baseUrl: string, { to, token }: Change & { token: string | null }): Letter =>
  letter((t) => {
    const next =
      token === null
        ? t('mails.movedAway.unverified')
        : t('mails.movedAway.undo', { link: `${baseUrl}/email-undo?token=${token}` })
    return { subject: t('mails.movedAway.subject'), body: t('mails.movedAway.body', { baseUrl, to, next }) }
  })

/** To the new address. */
export const movedHereMail = (baseUrl: string, { from }: Change): Letter =>
  letter((t) => ({ subject: t('mails.movedHere.subject'), body: t('mails.movedHere.body', { baseUrl, from }) }))

/** To both addresses, after the change was undone. */
export const undoneMail = (baseUrl: string, { from }: Change): Letter =>
  letter((t) => ({ subject: t('mails.undone.subject'), body: t('mails.undone.body', { baseUrl, from }) }))

interface DeletionNotice {
  content: 'delete' | 'anonymise'
  eraseAt: string
  reason: string | null
  byAdmin: boolean
}

/** After a request to delete the account. */
export const deletionMail = (baseUrl: string, { content, eraseAt, reason, byAdmin }: DeletionNotice): Letter =>
  letter((t) => {
    const said = reason ? `\n\n${t('mails.deletion.reason', { reason: quotedLines(reason) })}` : ''
    const lead = byAdmin ? t('mails.deletion.byAdmin', { baseUrl }) + said : t('mails.deletion.own', { baseUrl })
    const next = byAdmin ? t('mails.deletion.adminNext') : t('mails.deletion.ownNext', { baseUrl })
    const consequences = t(`mails.deletion.${content}`)
    return {
      subject: t('mails.deletion.subject'),
      body: t('mails.deletion.body', { lead, day: t.day(eraseAt), consequences, next }),
    }
  })

/** After the deletion was cancelled. */
export const deletionCancelledMail = (baseUrl: string): Letter =>
  letter((t) => ({ subject: t('mails.kept.subject'), body: t('mails.kept.body', { baseUrl }) }))

/** The last mail of an account. */
export const erasedMail = (baseUrl: string, content: DeletionNotice['content']): Letter =>
  letter((t) => ({
    subject: t('mails.erased.subject'),
    body: t('mails.erased.body', { baseUrl, consequences: t(`mails.erased.${content}`) }),
  }))
