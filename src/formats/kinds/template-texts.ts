// What the templates of all kinds are written with.

export const jsonOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** As an automation is named: lower-case letters, digits, dots, hyphens and underscores. */
export const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-+$/g, '') || 'untitled'
