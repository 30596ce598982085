// The form for a post in a browser, whose text has the editor.
import type { Page } from 'playwright-core'
import { type Site, type Visitor, visit } from './site.ts'

export const NEW = '/community/posts/new'
export const fieldOf = (page: Page) => page.getByLabel('Text', { exact: true })

/** Opens the form for a post, with a text that is selected in part. */
export async function writing(
  site: Site,
  text = '',
  select?: [number, number],
): Promise<Visitor & { value(): Promise<string> }> {
  const visitor = await visit(site, { name: 'mara' })
  await visitor.open(NEW)
  const field = fieldOf(visitor.page)
  await field.click()
  await visitor.page.waitForLoadState('networkidle')
  await field.fill(text)
  if (select)
    await field.evaluate((node, [start, end]) => (node as HTMLTextAreaElement).setSelectionRange(start!, end!), select)
  return { ...visitor, value: () => field.inputValue() }
}
