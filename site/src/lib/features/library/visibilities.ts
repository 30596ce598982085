// The visibilities of an item, as options of a field. Only admins make an item official.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { visibilities } from '#lib/ui/states.ts'

export const visibilityChoices = (t: SiteWords, isAdmin: boolean) =>
  visibilities
    .filter((value) => value !== 'official' || isAdmin)
    .map((value) => ({
      value,
      label: t('library.visibility.choice', {
        state: t(`kinds.state.${value}`),
        meaning: t(`library.visibility.${value}`),
      }),
    }))
