// The visibilities of an item, as options of a field.
const words = {
  private: 'Private: only you can see it',
  public: 'Public: everyone can see it, vote and comment',
  official: 'Official: public and endorsed by Guildhall',
} as const

export const visibilityChoices = (role: string | undefined) =>
  (['private', 'public', ...(role === 'admin' ? (['official'] as const) : [])] as const).map((value) => ({
    value,
    label: words[value],
  }))
