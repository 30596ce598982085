// What the mails about passkeys say.

/** For the owner of the account: a new key to it. */
export const passkeyMail = (baseUrl: string) => ({
  subject: 'A new passkey signs in to your account',
  body: `A passkey was just added to your account at ${baseUrl}: the device that holds it can sign in.\n\nIf it was not you, sign in at ${baseUrl}, remove it and choose a new password.\n`,
})
