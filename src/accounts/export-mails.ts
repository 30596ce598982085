// Texts of the mails about exports.
interface Letter {
  subject: string
  body: string
}

/** After an export was prepared. It has no link to the archive itself: that asks for a credential. */
export const exportMail = (baseUrl: string, { expiresAt, size }: { expiresAt: string; size: number }): Letter => ({
  subject: 'Your data is ready to download',
  body: `The export of your data at ${baseUrl} is ready: a zip archive of ${Math.ceil(size / 1024).toLocaleString('en')} KB.\n\nDownload it at ${baseUrl}/settings/data until ${expiresAt.slice(0, 10)}. Then it is removed.\n\nIf you did not request this, check ${baseUrl}/settings/security.\n`,
})

/** After an export failed for good. */
export const exportFailedMail = (baseUrl: string): Letter => ({
  subject: 'Your data could not be exported',
  body: `The export of your data at ${baseUrl} failed. Request it again at ${baseUrl}/settings/data. If it fails again, contact the operator of the site.\n`,
})
