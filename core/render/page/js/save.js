// save
