// The pages of the settings, in four groups.
import type { SiteWords } from '#lib/language/catalogue.ts'
import { leading } from '#lib/parts.ts'

interface SettingsPage {
  href: string
  label: string
  current: boolean
}

export interface SettingsGroup {
  label: string
  pages: SettingsPage[]
  current: boolean
}

/** Groups without a page of a part that is on are left out. */
export function groupsOf(t: SiteWords, here: string): SettingsGroup[] {
  const page = (href: string, label: string): SettingsPage => ({
    ...{ href, label },
    current: here === href || (href !== '/settings' && here.startsWith(`${href}/`)),
  })
  const groups = [
    {
      label: t('settings.group.account'),
      pages: [
        page('/settings', t('settings.tab.profile')),
        page('/settings/security', t('settings.tab.security')),
        page('/settings/data', t('settings.data')),
      ],
    },
    {
      label: t('notifications.title'),
      pages: [
        page('/settings/notifications', t('settings.tab.inbox')),
        page('/settings/chat', t('settings.chat')),
        page('/settings/trackers', t('settings.trackers')),
        page('/settings/webhooks', t('admin.webhooks')),
      ],
    },
    {
      label: t('settings.group.agents'),
      pages: [
        page('/settings/apps', t('settings.apps')),
        page('/settings/pending', t('settings.approvals')),
        page('/settings/tokens', t('settings.tab.tokens')),
      ],
    },
    { label: t('kinds.team.many'), pages: [page('/settings/teams', t('kinds.team.many'))] },
  ]
  return groups.flatMap(({ label, pages }) => {
    const on = leading(pages)
    return on.length === 0 ? [] : [{ label, pages: on, current: on.some(({ current }) => current) }]
  })
}
