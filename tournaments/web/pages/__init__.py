"""The pages of a league: functions of the data that a viewer may see, and of the links. They read no store."""
