// The mail about a webhook that was disabled.

interface Disabled {
  baseUrl: string
  /** Where the site shows it. */
  path: string
  url: string
  reason: 'failing' | 'gone'
}

const causes = {
  failing: 'It has failed for three days, so we do not try any more.',
  gone: 'It answered 410 Gone, which asks us to send no more.',
}

export const disabledLetter = ({ baseUrl, path, url, reason }: Disabled) => ({
  subject: 'A webhook was disabled',
  body: `Events at ${baseUrl} are no longer sent to one of your webhooks:\n\n${url}\n\n${causes[reason]} You can see what was sent, and enable it again, at ${baseUrl}${path}\n`,
})
