// Texts of the mails about an account: our own words first, then the next step.
import type { Role } from '../contract/operation.ts'
import type { EmailCode } from './code-queries.ts'

interface Letter {
  subject: string
  body: string
}

const codeLetters: Record<EmailCode['purpose'], { subject: string; lead: string }> = {
  'sign-in': { subject: 'Your sign-in code', lead: 'Enter this code to sign in to Guildhall:' },
  'verify-email': { subject: 'Verify your email', lead: 'Enter this code on Guildhall to verify your email address:' },
  'reset-password': { subject: 'Reset your password', lead: 'Enter this code to set a new password for Guildhall:' },
  'change-email': {
    subject: 'Confirm your new email address',
    lead: 'Enter this code on Guildhall to use this email address for your account:',
  },
  reauthenticate: { subject: "Confirm it's you", lead: "Enter this code on Guildhall to confirm it's you:" },
}

export function codeLetter(purpose: EmailCode['purpose'], code: string): Letter {
  const { subject, lead } = codeLetters[purpose]
  const end = 'The code is valid for 10 minutes. If you did not request it, ignore this mail and do not share the code.'
  return { subject, body: `${lead}\n\n${code}\n\n${end}\n` }
}

/** With a code for an app. Begins with our own words; the name of the app is quoted on a separate line. */
export const claimLetter = (code: string, clientName: string, scope: string): Letter => ({
  subject: 'Code for your agent',
  body: `An app asks to sign in to Guildhall with your account.

Name: "${clientName}"
Requested access: ${scope}

If you started this, enter this code in the app:

${code}

The code is valid for 10 minutes. If you did not start this, ignore this mail and do not share the code.
`,
})

const otherwise = (baseUrl: string) =>
  `If this was not you, choose a new password at ${baseUrl}/forgot-password. Then check ${baseUrl}/settings/security and ${baseUrl}/settings/apps.\n`

/** After a new password. */
export const passwordMail = (baseUrl: string): Letter => ({
  subject: 'Your password was changed',
  body: `The password of your account at ${baseUrl} was changed. Other browsers and connected apps were signed out.\n\n${otherwise(baseUrl)}`,
})

/** After a new passkey. */
export const passkeyMail = (baseUrl: string): Letter => ({
  subject: 'A new passkey was added to your account',
  body: `A passkey was added to your account at ${baseUrl}: the device that holds it can sign in.\n\nIf this was not you, remove it at ${baseUrl}/settings/security#passkeys and choose a new password at ${baseUrl}/forgot-password.\n`,
})

/** To an address that an admin invites. A code that is mailed proves the mailbox there; this mail opens nothing. */
export const invitationMail = (baseUrl: string, expiresAt: string): Letter => ({
  subject: 'You are invited to Guildhall',
  body: `An admin of ${baseUrl} invites this address to sign up.\n\nOpen ${baseUrl}/sign-up, type this address, and have a code mailed. The code makes your account.\n\nThe invitation is valid until ${expiresAt.slice(0, 10)}. If you did not expect it, ignore this mail.\n`,
})

/** After a new personal access token. */
export const personalTokenMail = (
  baseUrl: string,
  { name, scope, expiresAt }: { name: string; scope: string; expiresAt: string },
): Letter => ({
  subject: 'A personal access token was made for your account',
  body: `A personal access token was made for your account at ${baseUrl}. A program that has it acts as you, within what it allows.\n\nName: "${name}"\nAllows: ${scope}\nExpires: ${expiresAt.slice(0, 10)}\n\nIf this was not you, revoke it at ${baseUrl}/settings/tokens and choose a new password at ${baseUrl}/forgot-password.\n`,
})

/** After an account of the external provider was connected. */
export const externalMail = (baseUrl: string, name: string): Letter => ({
  subject: 'An external account was connected to your account',
  body: `An account at ${name} can now sign in to your account at ${baseUrl}.\n\nIf this was not you, disconnect it at ${baseUrl}/settings/security#external and choose a new password at ${baseUrl}/forgot-password.\n`,
})

/** After another role. */
export const roleMail = (baseUrl: string, { from, to }: { from: Role; to: Role }): Letter => ({
  subject: 'Your role was changed',
  body: `The role of your account at ${baseUrl} is now ${to}. It was ${from}.\n\nIf you did not expect this, contact the operator of the site.\n`,
})

interface Browser {
  device: string | null
  address: string
  now: string
}

/** After a sign-in from a browser that had not signed in to the account before. */
export const browserMail = (baseUrl: string, { device, address, now }: Browser): Letter => ({
  subject: 'A new browser signed in to your account',
  body: `A browser signed in to your account at ${baseUrl} for the first time.\n\nBrowser: ${device ?? 'unknown'}\nTime: ${now.slice(0, 16).replace('T', ' ')} UTC\nNetwork address: ${address}\n\n${otherwise(baseUrl)}`,
})

/** The credentials of an account from before its owner first verified the mailbox. */
export interface Removed {
  password: boolean
  passkeys: number
  /** Accounts of an external provider that could sign in to it. */
  external: number
  sessions: number
  apps: number
}

const counted = (count: number, one: string, many: string) =>
  count > 0 ? [`${count} ${count === 1 ? one : many}`] : []

/** After a mailed code was first used on an account with an unverified address. */
export function takeOverMail(baseUrl: string, { password, passkeys, external, sessions, apps }: Removed): Letter {
  const removed = [
    ...(password ? ['the password'] : []),
    ...counted(passkeys, 'passkey', 'passkeys'),
    ...counted(external, 'external account', 'external accounts'),
    ...counted(sessions, 'signed-in browser', 'signed-in browsers'),
    ...counted(apps, 'connected app', 'connected apps'),
    'codes that were mailed before',
  ]
  return {
    subject: 'Your email is verified, and your account is yours alone',
    body: `You used a code that was mailed to this address, so your account at ${baseUrl} is verified. Until then its owner had not been confirmed. To be safe, we removed what could sign in to it:\n\n${removed.map((what) => `- ${what}`).join('\n')}\n\nIf you set the password yourself, choose it again at ${baseUrl}/forgot-password. The profile and what was posted stay; check them at ${baseUrl}/settings.\n`,
  }
}

interface Seen {
  /** What the app calls itself. */
  name: string
  network: string
  device: string | null
  now: string
}

const seenAt = ({ name, network, device, now }: Seen) =>
  `Name: "${name}"\nFrom: ${device ?? 'a program'} in the network ${network}\nTime: ${now.slice(0, 16).replace('T', ' ')} UTC\n`

/** After a token of an app was used that was used already: its access has ended. */
export const reuseMail = (baseUrl: string, seen: Seen): Letter => ({
  subject: 'We stopped an app that may have been copied',
  body: `A token of an app that acts for your account at ${baseUrl} was presented a second time. There may be a copy of it, so the app has no access any more.\n\n${seenAt(seen)}\nIf you use the app, give it access again. Look at your apps at ${baseUrl}/settings/apps.\n`,
})

/** After an app that was quiet came back from elsewhere. */
export const newNetworkMail = (baseUrl: string, seen: Seen): Letter => ({
  subject: 'An app of yours came back from a new network',
  body: `An app that acts for your account at ${baseUrl} had not been used for a while. It came back from a network it never used before.\n\n${seenAt(seen)}\nIf that was not you, revoke it at ${baseUrl}/settings/apps.\n`,
})

/** After the operator removed every credential. */
export const resetMail = (baseUrl: string): Letter => ({
  subject: 'Your account was reset',
  body: `The operator of ${baseUrl} removed the password, passkeys and connected accounts of your account, and signed out all browsers and apps.\n\nTo get in again, set a new password at ${baseUrl}/forgot-password.\n`,
})
